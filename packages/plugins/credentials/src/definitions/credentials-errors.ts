import { defineErrors, type ErrorIssue, type OracleError } from '@sibyl/plugin'

export const credentialsErrors = defineErrors({
  credential_invalid: {
    status: 422,
    message: 'The credential was not issued: {faults}.',
    summary: 'The content of a credential is invalid; `issues` lists each problem with its path.',
  },
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
})

/** Creates `credential_invalid` with every fault of the request. */
export const credentialInvalid = (issues: readonly ErrorIssue[]): OracleError =>
  credentialsErrors.credential_invalid(
    { faults: issues.map(({ path, message }) => `${path} ${message}`).join('; ') },
    { issues, facts: {} },
  )
