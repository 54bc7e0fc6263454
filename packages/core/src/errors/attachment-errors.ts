import { OracleError } from '@sibyl/plugin'

/** A message has attachments, and no plugin keeps files. */
export class AttachmentsOff extends OracleError {
  readonly code = 'attachments_off'
  override readonly status = 422

  constructor() {
    super(
      'This oracle takes no attachments, since no plugin that keeps files is loaded. Send the message without them.',
    )
  }
}

/** A message has more attachments than one may have. */
export class AttachmentsTooMany extends OracleError {
  readonly code = 'attachments_too_many'
  override readonly status = 422

  constructor(most: number) {
    super(`A message may have ${most} attachments. Upload the files first, or send several messages.`)
  }
}

/** The contents of a message's attachments are larger than one message may bring. */
export class AttachmentsTooLarge extends OracleError {
  readonly code = 'attachments_too_large'
  override readonly status = 413

  /** @param most In bytes. */
  constructor(most: number) {
    super(
      `The attachments of a message may have ${most / 1_000_000} MB together. Send less, or upload the files first.`,
    )
  }
}

/** The caller may not read or write files of their own, and attachments are such files. */
export class AttachmentsDenied extends OracleError {
  readonly code = 'scope_missing'
  override readonly status = 403

  /** @param abilities One of them is needed. */
  constructor(abilities: readonly string[]) {
    super(
      `Attachments need the ability ${abilities.join(' or ')}, which this caller does not hold. Send the message without them.`,
    )
  }
}

/** An attachment brings no content, one that cannot be read, or one that is not what it says. */
export class AttachmentInvalid extends OracleError {
  readonly code = 'attachment_invalid'
  override readonly status = 422

  /**
   * @param number Which one, from 1.
   * @param of Where the fault is.
   */
  constructor(number: number, fault: string, of: 'url' | 'content') {
    super(`Attachment ${number} cannot be taken: ${fault}. ${remedies[of]}`)
  }
}

const remedies = {
  url: 'Its url is a data: URL, or the address of a file uploaded before.',
  content: 'Send another file, or the message without it.',
} as const
