import { OracleError, ToolFailure } from '@sibyl/plugin'

/** What a model answered is no verdict. */
export class VerdictUnusable extends OracleError {
  readonly code = 'verdict_unusable'

  /** @param fault what is wrong with it, as the end of "…: it" */
  constructor(fault: string) {
    super(`The model's verdict cannot be used: ${fault}.`)
  }
}

/** A credential is to be revoked, and the plugin that issued it is not there. */
export class CredentialIssuerMissing extends ToolFailure {
  override readonly code = 'credential_issuer_missing'
  override readonly status = 503

  constructor() {
    super('The credential of this claim cannot be revoked: the credentials plugin is not there. Switch it on.')
  }
}
