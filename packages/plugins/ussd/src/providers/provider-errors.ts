import { OracleError } from '@sibyl/plugin'

/** Thrown when the definition of a USSD provider has faults: names each of them. */
export class UssdProviderInvalid extends OracleError {
  readonly code = 'ussd_provider_invalid'

  /**
   * @param provider the name it gives itself
   * @param faults what is wrong, each with its remedy
   */
  constructor(provider: string, faults: readonly string[]) {
    super(`The USSD provider ${JSON.stringify(provider)} cannot be used: ${faults.join('; ')}.`, { provider, faults })
  }
}
