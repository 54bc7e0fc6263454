import { OracleError } from '@sibyl/plugin'

/** The oracle's own DID was named as a person: what it signed is not personal data. */
export class PersonIsOracleError extends OracleError {
  readonly code = 'person_is_oracle'
  override readonly status = 409

  constructor() {
    super('That DID is one of this oracle, not of a person. Name the DID of the person.')
  }
}
