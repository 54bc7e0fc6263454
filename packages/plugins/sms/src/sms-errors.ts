import { defineErrors, defineToolFailures, ToolFailure } from '@sibyl/plugin'

// Those that are a ToolFailure may be read by model and person, and are HTTP problems by status and code as well.

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

/** A person has linked as many phones as may be. */
export class SmsLinksFull extends ToolFailure {
  override readonly code = 'sms_links_full'
  override readonly status = 409

  /** @param most phones of one person */
  constructor(most: number) {
    super(`You have ${most} phones here, which is the most. Remove one first: DELETE /sms/phones/{id}.`)
  }
}

export const smsErrors = defineErrors({
  sms_link_unknown: { status: 404, message: 'You have no linked phone of that id. GET /sms/phones lists yours.' },
  sms_cursor_invalid: {
    status: 400,
    message: 'The cursor is none that a page gave. Send the `next` of a page, or none to begin anew.',
  },
  sms_call_invalid: { status: 400, message: 'The body is none that the provider of this path documents.' },
})

export const smsFailures = defineToolFailures({
  sms_number_invalid: { status: 400, message: 'That is no phone number with its country. Write it as +260971234567.' },
  sms_text_invalid: {
    status: 400,
    message: 'An SMS has 1 to 1,600 characters of text, none of them the character NUL or half of another one.',
  },
  sms_opted_out: {
    status: 409,
    message: 'Whoever has this phone wants no SMS from here. They can write START to get them again.',
  },
  sms_phone_unknown: {
    status: 404,
    message: 'No phone of yours is known here. Say the number, or send an SMS to this oracle first.',
  },
  sms_code_invalid: {
    status: 400,
    message: 'That is not the code, or it is too old or was tried too often. Check it, or have another one sent.',
  },
})
