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

  constructor(max: number) {
    super(`A message may have at most ${max} attachments. Upload the files first, or send several messages.`)
  }
}

/** The attachments of a message are larger than allowed. */
export class AttachmentsTooLarge extends OracleError {
  readonly code = 'attachments_too_large'
  override readonly status = 413

  /** @param max In bytes. */
  constructor(max: number) {
    super(
      `The attachments of a message may have ${max / 1_000_000} MB together. Send fewer or smaller files, or upload them first.`,
    )
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

  /**
   * @param number Its position, from 1.
   * @param of Where the error is.
   */
  constructor(number: number, violation: string, of: 'url' | 'content') {
    super(`Attachment ${number} is invalid: ${violation}. ${remedies[of]}`)
  }
}

const remedies = {
  url: 'Its url is a data: URL, or the address of a file uploaded before.',
  content: 'Send another file, or the message without it.',
} as const
