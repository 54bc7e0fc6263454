import type { Capability } from './capability.ts'
import type { ChainCheck, ChainLink } from './chain-check.ts'
import type { TimeRules } from './check-times.ts'
import { checkCoverage } from './proof-chain.ts'
import { isRefusal, type Link, linksOf } from './read-token.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A delegation whose whole chain holds. */
export interface Delegation {
  /** The DID that signed it. */
  readonly issuer: string
  /** The DID that may use it as a proof. */
  readonly audience: string
  /** The DIDs with which its chain begins; the issuer where it has no proofs. */
  readonly roots: readonly string[]
  readonly capabilities: readonly Capability[]
  /** Seconds since 1970, when the first link of the chain expires. */
  readonly expiresAt: number
  /** The `tokenHash`. */
  readonly hash: string
  /** All tokens of the chain, the outermost first. */
  readonly links: readonly ChainLink[]
}

export type DelegationVerdict = { readonly ok: true; readonly delegation: Delegation } | Refusal

/**
 * Judges a delegation: that it holds, not what it is good for.
 *
 * @param token as it was read
 * @param audience the DID that it must be addressed to
 */
export async function verifyDelegation(
  token: Link,
  audience: string,
  rules: TimeRules,
  check: ChainCheck,
): Promise<DelegationVerdict> {
  const { claims } = token
  if (claims.audience !== audience) return refuse('wrong_audience', 'The audience of the delegation is another DID.')
  const refusal = check.checkClaims(token, rules) ?? firstRefusal(linksOf(token).map(checkCoverage))
  if (refusal) return refusal
  const links = await check.checkGenuine(token)
  if (isRefusal(links)) return links
  return {
    ok: true,
    delegation: {
      issuer: claims.issuer,
      audience: claims.audience,
      roots: [...new Set(rootsOf(token))],
      capabilities: claims.capabilities,
      expiresAt: Math.min(...links.map(link => link.expiresAt)),
      hash: links[0]!.hash,
      links,
    },
  }
}

function rootsOf({ claims, proofs }: Link): string[] {
  return proofs.length === 0 ? [claims.issuer] : proofs.flatMap(rootsOf)
}

function firstRefusal(refusals: readonly (Refusal | undefined)[]): Refusal | undefined {
  return refusals.find(refusal => refusal !== undefined)
}
