import { type Link, linksOf } from './read-token.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Rules for times, in seconds. */
export interface TimeRules {
  readonly now: number
  /** Tolerated clock skew between issuer and verifier. */
  readonly skewSeconds: number
  /** The longest life of the token itself. */
  readonly maxLifetimeSeconds: number
  /** The longest life of a proof. */
  readonly maxDelegationLifetimeSeconds: number
}

/**
 * Checks that a token and all its proofs are valid now and do not live too long: neither from now, nor from their
 * start where they name one.
 */
export function checkTimes(token: Link, rules: TimeRules): Refusal | undefined {
  for (const link of linksOf(token)) {
    const { expiresAt, notBefore = rules.now } = link.claims
    const longest = link === token ? rules.maxLifetimeSeconds : rules.maxDelegationLifetimeSeconds
    if (expiresAt + rules.skewSeconds <= rules.now) {
      return refuse('expired', `The ${link.position} expired ${rules.now - expiresAt} s ago.`)
    }
    if (notBefore - rules.skewSeconds > rules.now) {
      return refuse('not_yet_valid', `The ${link.position} becomes valid in ${notBefore - rules.now} s.`)
    }
    if (expiresAt - Math.min(notBefore, rules.now) > longest + rules.skewSeconds) {
      return refuse('lifetime_too_long', `The ${link.position} is valid for longer than ${longest} s.`)
    }
  }
  return undefined
}

/** Returns the second since 1970 before which `checkTimes` refuses an invocation: it is not valid yet or lives too long. */
export function acceptableFrom(
  { expiresAt, notBefore = 0 }: Link['claims'],
  { skewSeconds, maxLifetimeSeconds }: Pick<TimeRules, 'skewSeconds' | 'maxLifetimeSeconds'>,
): number {
  return Math.max(notBefore, expiresAt - maxLifetimeSeconds) - skewSeconds
}
