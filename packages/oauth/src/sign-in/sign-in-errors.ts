import { defineErrors } from '@sibyl/plugin'

export const signInErrors = defineErrors({
  sign_in_expired: {
    status: 400,
    message: 'This sign-in expired, was completed, or belongs to another browser. Start again in the application.',
  },
  sign_in_code_invalid: { status: 403, message: 'The code is wrong, expired or used. Ask the operator for a new one.' },
  code_scope_not_held: {
    status: 403,
    message: 'You cannot grant {scope}, because you do not have it. Choose other scopes.',
  },
  code_did_of_oracle: {
    status: 403,
    message: 'Only the operator token creates codes for the oracle or for one of its controllers. Choose another DID.',
  },
  sign_in_attempts: { status: 429, message: 'Too many wrong codes or numbers. Start again in the application.' },
  sign_in_number_wrong: {
    status: 403,
    message: 'This is not the number on the first screen. If you have no such screen, close this page.',
  },
  sign_in_not_by_phone: {
    status: 403,
    message: 'A phone grants none of the chosen scopes. Choose others, or sign in with this browser.',
  },
  sign_in_redirect_refused: {
    status: 400,
    message:
      'The application returns to an address that this oracle no longer accepts. Update the application, and connect it again.',
  },
  sign_in_needs_ucan: { status: 403, message: 'Sign in with a UCAN invocation that has the ability auth/token.' },
  sign_in_scopes_missing: {
    status: 403,
    message: 'You have none of the chosen scopes. Choose others, or use a delegation that allows them.',
  },
  sign_ins_full: { status: 503, message: 'The oracle stores the maximum number of sign-ins. Try again later.' },
  sign_in_not_found: { status: 404, message: 'You have no sign-in with this ID.' },
})
