import { OracleError } from '@sibyl/plugin'

/** A message has attachments, and no plugin stores files. */
export class AttachmentsOff extends OracleError {
  readonly code = 'attachments_off'
  override readonly status = 422

  constructor() {
    super(
      'This oracle does not accept attachments, because no plugin that stores files is loaded. Send the message without them.',
    )
  }
}

/** A message has too many attachments. */
export class AttachmentsTooMany extends OracleError {
  readonly code = 'attachments_too_many'
  override readonly status = 422

  constructor(most: number) {
    super(`A message may have at most ${most} attachments. Upload the files first, or send several messages.`)
  }
}

/** The caller lacks the ability to read or write files, which attachments require. */
export class AttachmentsDenied extends OracleError {
  readonly code = 'scope_missing'
  override readonly status = 403

  /** @param abilities One of them is required. */
  constructor(abilities: readonly string[]) {
    super(
      `Attachments require the ability ${abilities.join(' or ')}, which this caller does not have. Send the message without them.`,
    )
  }
}

/** An attachment has no content, or invalid content. */
export class AttachmentInvalid extends OracleError {
  readonly code = 'attachment_invalid'
  override readonly status = 422

  /** @param number Its position, from 1. */
  constructor(number: number, fault: string) {
    super(
      `Attachment ${number} is invalid: ${fault}. Set its url to a data: URL or to the address of an uploaded file.`,
    )
  }
}
