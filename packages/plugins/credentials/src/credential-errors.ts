import { type ErrorIssue, OracleError } from '@sibyl/plugin'

/** What a credential is to say does not fit. */
export class CredentialInvalid extends OracleError {
  readonly code = 'credential_invalid'
  override readonly status = 422
  override readonly issues: readonly ErrorIssue[]

  constructor(issues: readonly ErrorIssue[]) {
    super(`The credential was not issued: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}.`)
    this.issues = issues
  }
}
