import { OracleError, ToolFailure } from '@sibyl/plugin'

// Those that are a ToolFailure may be read by model and person, and are HTTP problems by status and code as well.

/** A text is no phone number with its country. */
export class SmsNumberInvalid extends ToolFailure {
  override readonly code = 'sms_number_invalid'
  override readonly status = 400

  constructor() {
    super('That is no phone number with its country. Write it as +260971234567.')
  }
}

/** A text is none that an SMS can carry. */
export class SmsTextInvalid extends ToolFailure {
  override readonly code = 'sms_text_invalid'
  override readonly status = 400

  constructor() {
    super('An SMS has 1 to 1,600 characters of text, none of them the character NUL or half of another one.')
  }
}

/** The person of a phone wants no SMS. */
export class SmsOptedOut extends ToolFailure {
  override readonly code = 'sms_opted_out'
  override readonly status = 409

  constructor() {
    super('Whoever has this phone wants no SMS from here. They can write START to get them again.')
  }
}

/** Whose limit of a day is reached. */
const limits = {
  person: 'for one person',
  phone: 'to one phone',
  others: 'by all people together to the phones of others',
  address: 'from one address to the phones of others',
  code: 'with codes to one phone',
} as const

/** As many SMS were sent in a day as may be. */
export class SmsLimitReached extends ToolFailure {
  override readonly code = 'sms_limit_reached'
  override readonly status = 429

  /** @param most SMS in 24 hours */
  constructor(most: number, whose: keyof typeof limits) {
    super(`No SMS was sent: ${most} in 24 hours are sent ${limits[whose]} at most. Try again tomorrow.`)
  }
}

/** Of a person no phone is known. */
export class SmsPhoneUnknown extends ToolFailure {
  override readonly code = 'sms_phone_unknown'
  override readonly status = 404

  constructor() {
    super('No phone of yours is known here. Say the number, or send an SMS to this oracle first.')
  }
}

/** An SMS is to go to a phone that is not the person's own. */
export class SmsPhoneNotOwn extends ToolFailure {
  override readonly code = 'sms_phone_not_own'
  override readonly status = 403

  constructor(access: 'open' | 'delegated') {
    super(
      access === 'open'
        ? 'That phone is not yours. This oracle is open to any caller, so it sends SMS to the phone that you write from alone.'
        : 'That phone is not linked to you. Link it first, by a code that is sent there: link_phone, or POST /sms/phones.',
    )
  }
}

/** A code does not link a phone. */
export class SmsCodeInvalid extends ToolFailure {
  override readonly code = 'sms_code_invalid'
  override readonly status = 400

  constructor() {
    super('That is not the code, or it is too old or was tried too often. Check it, or have another one sent.')
  }
}

/** A person has linked as many phones as may be. */
export class SmsLinksFull extends ToolFailure {
  override readonly code = 'sms_links_full'
  override readonly status = 409

  /** @param most phones of one person */
  constructor(most: number) {
    super(`You have ${most} phones here, which is the most. Remove one first: DELETE /sms/phones/{id}.`)
  }
}

/** No linked phone has an id. */
export class SmsLinkUnknown extends OracleError {
  override readonly code = 'sms_link_unknown'
  override readonly status = 404

  constructor() {
    super('You have no linked phone of that id. GET /sms/phones lists yours.')
  }
}

/** A cursor is none that a page gave. */
export class SmsCursorInvalid extends OracleError {
  override readonly code = 'sms_cursor_invalid'
  override readonly status = 400

  constructor() {
    super('The cursor is none that a page gave. Send the `next` of a page, or none to begin anew.')
  }
}

/** The body of a call is none that the provider documents. */
export class SmsCallInvalid extends OracleError {
  override readonly code = 'sms_call_invalid'
  override readonly status = 400

  constructor() {
    super('The body is none that the provider of this path documents.')
  }
}
