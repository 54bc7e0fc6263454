import { OracleError } from '@sibyl/plugin'

/** The DID of the oracle was given as a person: its signatures are not personal data. */
export class PersonIsOracleError extends OracleError {
  readonly code = 'person_is_oracle'
  override readonly status = 409

  constructor() {
    super('That DID belongs to this oracle, not to a person. Use the DID of the person.')
  }
}
