import { defineErrors } from '@sibyl/plugin'

export const ussdErrors = defineErrors({
  operator_token_needed: {
    status: 401,
    message: 'Send the operator token: Authorization: Bearer <USSD_OPERATOR_TOKEN>.',
  },
  operator_token_unset: {
    code: 'operator_token_needed',
    status: 401,
    message: 'No operator token is set, so this route is closed. Set USSD_OPERATOR_TOKEN.',
  },
  flow_invalid: {
    message: 'The USSD flow has {count}:\n{problems}',
    summary:
      'A USSD flow is invalid, or led to a screen that does not exist; the message lists each problem with its place.',
  },
  ussd_provider_invalid: {
    message: 'The USSD provider {provider} is invalid: {problems}.',
    summary: 'The definition of a USSD provider is invalid.',
  },
  pin_weak: {
    status: 400,
    message: 'That PIN is easy to guess: it is a run, a repetition, a year, part of the phone number or often chosen.',
    summary: 'A PIN is not 4 to 6 digits, easy to guess, or the one there is.',
  },
  pin_form: { code: 'pin_weak', status: 400, message: 'A PIN has 4 to 6 digits.' },
  pin_unchanged: { code: 'pin_weak', status: 400, message: 'The new PIN is the old one. Choose another one.' },
  pin_outdated: { status: 409, message: 'The PIN was changed after it was checked. Sign in again.' },
  customer_not_found: { status: 404, message: 'The customer is unknown.' },
  customer_ambiguous: {
    status: 409,
    message: '{count} customers have that phone number. Name one by its customerId; an export lists them.',
  },
  customer_id_taken: {
    status: 503,
    message: 'Another customer was given the same id a moment before. Nothing was kept; try again.',
  },
  operator_action_not_found: { status: 404, message: 'The operator request is unknown.' },
  operator_action_over: {
    status: 409,
    message:
      'The request is over: confirmed before, not confirmed in time, or too often with a wrong word. Make a new one.',
  },
  confirmation_wrong: { status: 403, message: 'That is not the confirmation word of the request.' },
  rate_limited: { status: 429, message: 'This phone number may send {perMinute} requests a minute.' },
  ussd_reply_late: { status: 503, message: 'There was no reply within {seconds} s.' },
  ussd_request_invalid: { status: 400, message: 'The request does not match the schema of this route.' },
  day_range_invalid: { status: 400, message: 'The first day is after the last one. Send `from` before `to`.' },
  session_not_found: {
    status: 404,
    message: 'No session of that id is active. It expired, was ended, or never began.',
  },
  ussd_session_contested: {
    status: 503,
    message: 'Other processes moved a USSD session at each of {tries} tries. The request may be sent again.',
  },
})
