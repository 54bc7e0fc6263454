import { defineErrors } from '@sibyl/plugin'

export const credentialsErrors = defineErrors({
  credential_not_found: {
    status: 404,
    message: 'No credential of that id was issued here, or it is not one that you may see.',
  },
  credential_revoked: { status: 409, message: 'The credential was revoked, and stays so. Issue a new one.' },
  issuer_not_allowed: {
    status: 403,
    message:
      'Only the oracle and its controllers issue and revoke credentials, and those to whom one of them gave that right.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another body before. Send a new key for a new credential.',
  },
  credential_not_prepared: {
    status: 409,
    message: 'The credential was not prepared here within the last hours. Prepare it anew, then store it.',
  },
  status_list_not_found: { status: 404, message: 'No status list of that id is kept here.' },
  cursor_invalid: {
    status: 400,
    message: 'The cursor is not one that this list gave for the same query. Begin without it.',
  },
})
