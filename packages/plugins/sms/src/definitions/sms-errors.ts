import { defineErrors, defineToolFailures, type ToolFailure } from '@sibyl/plugin'

export const smsErrors = defineErrors({
  sms_link_unknown: {
    status: 404,
    message: 'You have no linked phone with that id. GET /sms/phones lists your phones.',
  },
  sms_call_invalid: { status: 400, message: 'The body is not in a form that the provider of this path documents.' },
})

export const smsFailures = defineToolFailures({
  sms_number_invalid: {
    status: 400,
    message: 'The phone number is invalid. Write it with its country code, as +260971234567.',
  },
  sms_text_invalid: {
    status: 400,
    message:
      'The text is invalid. Write 1 to 1,600 characters, without the character NUL and without half of a surrogate pair.',
  },
  sms_opted_out: {
    status: 409,
    message: 'The owner of this phone has opted out of SMS from here. They can write START to receive SMS again.',
  },
  sms_phone_unknown: {
    status: 404,
    message: 'No phone of yours is known here. Give the number, or send an SMS to this oracle first.',
  },
  sms_code_invalid: {
    status: 400,
    message: 'The code is wrong, has expired, or was tried too often. Check it, or request another one.',
  },
  sms_limit_reached: {
    status: 429,
    message: 'No SMS was sent: the limit of {most} in 24 hours {whose} is reached. Try again tomorrow.',
    summary: 'A user, a phone or all users together have reached the limit of SMS in 24 hours.',
  },
  sms_phone_not_own: {
    status: 403,
    message: 'That phone is not linked to you. Link it first with a code: link_phone, or POST /sms/phones.',
  },
  sms_phone_not_own_open: {
    code: 'sms_phone_not_own',
    status: 403,
    message:
      'That phone is not yours. This oracle is open to any caller, so you can only send SMS to the phone that you write from.',
  },
  sms_links_full: {
    status: 409,
    message: 'You have reached the limit of {most} phones. Remove one first: DELETE /sms/phones/:id.',
  },
})

/** Creates `sms_phone_not_own`, with the remedy that fits the oracle's access. */
export const phoneNotOwn = (access: 'open' | 'delegated'): ToolFailure =>
  access === 'open' ? smsFailures.sms_phone_not_own_open() : smsFailures.sms_phone_not_own()
