import { type ServiceToken, serviceToken } from './service-token.ts'

/** An activity reported by a user, as a claim to be evaluated. */
export interface ActivityClaim {
  /** The DID of the person who reports it. */
  readonly actor: string
  /** The kind of activity: `activity` if unknown. */
  readonly type: string
  /** The person's own words, 1 to 1,000 characters. */
  readonly summary: string
  /** The channel of the report. @default 'ussd' */
  readonly channel?: 'ussd' | 'sms' | 'matrix'
  /** The DID of the entity that it is about, where that is known. */
  readonly asset?: string
  /** Two claims of one key are one: the same call again, also after a restart, gives the same id. */
  readonly idempotencyKey: string
}

/** Takes claims in for a person who reports through another channel than the agent. */
export interface ClaimSubmission {
  /** Stores the claim; resolves once it is kept. Rejects where it cannot be taken in. */
  submit(claim: ActivityClaim): Promise<{ readonly claimId: string }>
}

/** The service of the plugin that keeps claims. @example host.optionalService(claimSubmission)?.submit(claim) */
export const claimSubmission: ServiceToken<ClaimSubmission> = serviceToken('claim-submission')
