import { OracleError } from '@sibyl/plugin'

/** The entity was taken out of use, and its DID with it. */
export class DidDeactivated extends OracleError {
  readonly code = 'did_deactivated'
  override readonly status = 410

  constructor() {
    super('This DID is deactivated. What it was is in the history of its entity.')
  }
}
