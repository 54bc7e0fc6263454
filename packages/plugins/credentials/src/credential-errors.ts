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

/** No credential of that id was issued here, or it is not for the caller to see. */
export class CredentialNotFound extends OracleError {
  readonly code = 'credential_not_found'
  override readonly status = 404

  constructor() {
    super('No credential of that id was issued here, or it is not one that you may see.')
  }
}

/** The credential was revoked, which is for ever. */
export class CredentialRevoked extends OracleError {
  readonly code = 'credential_revoked'
  override readonly status = 409

  constructor() {
    super('The credential was revoked, and stays so. Issue a new one.')
  }
}

/** Who calls may not have the oracle sign, or take back, what it signs. */
export class IssuerNotAllowed extends OracleError {
  readonly code = 'issuer_not_allowed'
  override readonly status = 403

  constructor() {
    super(
      'Only the oracle and its controllers issue and revoke credentials, and those to whom one of them gave that right.',
    )
  }
}

/** The `Idempotency-Key` was used for another credential. */
export class CredentialKeyReused extends OracleError {
  readonly code = 'idempotency_key_reused'
  override readonly status = 422

  constructor() {
    super('This Idempotency-Key came with another body before. Send a new key for a new credential.')
  }
}

/** A prepared credential waited too long to be stored, or was not prepared here. */
export class CredentialNotPrepared extends OracleError {
  readonly code = 'credential_not_prepared'
  override readonly status = 409

  constructor() {
    super('The credential was not prepared here within the last hours. Prepare it anew, then store it.')
  }
}

/** No status list has that id. */
export class StatusListNotFound extends OracleError {
  readonly code = 'status_list_not_found'
  override readonly status = 404

  constructor() {
    super('No status list of that id is kept here.')
  }
}

/** A cursor that no page of this list gave. */
export class CredentialsCursorInvalid extends OracleError {
  readonly code = 'cursor_invalid'
  override readonly status = 400

  constructor() {
    super('The cursor is not one that this list gave for the same query. Begin without it.')
  }
}
