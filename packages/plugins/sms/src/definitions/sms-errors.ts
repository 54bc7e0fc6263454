import { defineErrors, defineToolFailures, type ToolFailure } from '@sibyl/plugin'

export const smsErrors = defineErrors({
  sms_link_unknown: { status: 404, message: 'You have no linked phone of that id. GET /sms/phones lists yours.' },
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
  sms_limit_reached: {
    status: 429,
    message: 'No SMS was sent: {most} in 24 hours are sent {whose} at most. Try again tomorrow.',
    summary: 'A user, a phone or all together were sent as many SMS in 24 hours as they may.',
  },
  sms_phone_not_own: {
    status: 403,
    message:
      'That phone is not linked to you. Link it first, by a code that is sent there: link_phone, or POST /sms/phones.',
  },
  sms_phone_not_own_open: {
    code: 'sms_phone_not_own',
    status: 403,
    message:
      'That phone is not yours. This oracle is open to any caller, so it sends SMS to the phone that you write from alone.',
  },
  sms_links_full: {
    status: 409,
    message: 'You have {most} phones here, which is the most. Remove one first: DELETE /sms/phones/:id.',
  },
})

/** Creates `sms_phone_not_own`, with what to do by who may reach the oracle. */
export const phoneNotOwn = (access: 'open' | 'delegated'): ToolFailure =>
  access === 'open' ? smsFailures.sms_phone_not_own_open() : smsFailures.sms_phone_not_own()
