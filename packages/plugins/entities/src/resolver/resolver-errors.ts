import { OracleError } from '@sibyl/core'

/** No entity has that did:web address. */
export class DidNotFound extends OracleError {
  readonly code = 'did_not_found'
  override readonly status = 404

  constructor() {
    super('No entity of this oracle has this address. Check the last part of its DID.')
  }
}

/** The entity was taken out of use, and its DID with it. */
export class DidDeactivated extends OracleError {
  readonly code = 'did_deactivated'
  override readonly status = 410

  constructor() {
    super('This DID is deactivated. What it was is in the history of its entity.')
  }
}
