import { OracleError } from '@sibyl/plugin'

/** An action requires a delegation that the person has not given. */
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
