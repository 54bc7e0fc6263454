import { OracleError } from '@sibyl/plugin'

/** Something is to be done for a person who has not let the oracle do it. */
export class DelegationMissingError extends OracleError {
  readonly code = 'delegation_missing'
  override readonly status = 403

  constructor(did: string, resource: string, abilities: readonly string[]) {
    super(
      `${did} has not delegated ${abilities.join(' ')} on ${resource} to this oracle. Ask the holder to post such a delegation to /delegation.`,
      { did, resource, abilities },
    )
  }
}
