import { defineErrors, type ErrorIssue, type OracleError } from '@sibyl/plugin'

export const credentialsErrors = defineErrors({
  credential_invalid: {
    status: 422,
    message: 'The credential was not issued: {problems}.',
    summary: 'The content of a credential is invalid; `issues` lists each problem with its path.',
  },
  credential_not_found: {
    status: 404,
    message: 'The credential is unknown, or you may not see it. GET /credentials lists those that you may see.',
  },
  credential_revoked: { status: 409, message: 'The credential was revoked permanently. Issue a new one.' },
  issuer_not_allowed: {
    status: 403,
    message:
      'The caller may not issue or revoke credentials. Use a key of the oracle or of a controller, or a delegation with that right from one of them.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another body. Use a new key for a new credential.',
  },
  credential_not_prepared: {
    status: 409,
    message: 'The credential was not prepared here within the last hours. Prepare it again, then store it.',
  },
  status_list_not_found: { status: 404, message: 'The status list is unknown here.' },
})

/** Creates `credential_invalid` with every problem of the request. */
export const credentialInvalid = (issues: readonly ErrorIssue[]): OracleError =>
  credentialsErrors.credential_invalid(
    { problems: issues.map(({ path, message }) => `${path} ${message}`).join('; ') },
    { issues, facts: {} },
  )
