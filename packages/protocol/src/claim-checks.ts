import type { JsonValue } from './json-value.ts'
import type { Violation } from './property-rules.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/**
 * Finds every error of the member `claim` of a Protocol; empty if it is valid. Pure.
 *
 * @returns errors with JSON Pointers such as `/claim/rubric/0/operator`
 */
export type ClaimCheck = (claim: JsonValue) => readonly Violation[]

/** Where the plugin that keeps claims says how it reads protocols, so that none is posted that it could not read. */
export interface ClaimChecks {
  /** Has every Protocol checked that is posted or changed from now on. */
  use(check: ClaimCheck): void
}

/** Taken by the plugin that keeps protocols. @example host.service(claimChecks).use(claim => faultsOf(claim)) */
export const claimChecks: ServiceToken<ClaimChecks> = serviceToken('claim-checks')
