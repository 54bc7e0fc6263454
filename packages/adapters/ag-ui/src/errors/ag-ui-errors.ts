import { defineErrors } from '@sibyl/plugin'

/** Errors of the AG-UI adapter. */
export const agUiErrors = defineErrors({
  ag_ui_answer_invalid: {
    status: 400,
    message:
      'The payload for interrupt {interrupt} does not match its responseSchema. For an approval, send {"approved": true} or {"approved": false}.',
    summary: 'A resume entry answers an approval with a payload that says neither yes nor no.',
  },
  ag_ui_content_unsupported: {
    status: 400,
    message: '{what} is not supported. Send text, and files as base64 data.',
    summary: 'The message has a part that the oracle cannot read; the error names it.',
  },
  ag_ui_message_too_long: {
    status: 400,
    message: 'The message has more than {most} characters. Shorten it.',
  },
})
