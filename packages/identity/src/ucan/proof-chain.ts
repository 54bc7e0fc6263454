import { abilityCovers, impersonationAbility } from './capability.ts'
import { type Link, linksOf } from './read-token.ts'
import { type Refusal, refuse } from './refusal.ts'

/**
 * The owners of a resource, from the record of the verifier. `open`: every signer is a root. `delegated`: every chain
 * must start with one of `roots`, by their `did:key`.
 */
export type AccessPolicy =
  | { readonly access: 'open' }
  | { readonly access: 'delegated'; readonly roots: readonly string[] }

/** An ability on the resource in question that a token really holds. */
export interface HeldAbility {
  readonly ability: string
  /** The DID with which its chain begins. */
  readonly root: string
  /** The audience of the root's own token. */
  readonly granted: string
  /** Every link from the root to the token names `impersonationAbility` on the resource. */
  readonly asRoot: boolean
}

/** Checks that each proof of each link is addressed to the issuer who presents it. */
export function checkAddressing(token: Link): Refusal | undefined {
  for (const link of linksOf(token)) {
    const stray = link.proofs.find(proof => proof.claims.audience !== link.claims.issuer)
    if (stray) return refuse('proof_audience_mismatch', `The ${stray.position} is not addressed to its presenter.`)
  }
  return undefined
}

/** Checks that a link grants something, and that its proofs, if there are any, grant all of it. */
export function checkCoverage({ claims, proofs, position }: Link): Refusal | undefined {
  if (claims.capabilities.length === 0) return refuse('capability_missing', `The ${position} grants nothing.`)
  if (proofs.length === 0) return undefined
  const granted = proofs.flatMap(proof => proof.claims.capabilities)
  const uncovered = claims.capabilities.find(
    wanted => !granted.some(it => it.resource === wanted.resource && abilityCovers(it.ability, wanted.ability)),
  )
  if (uncovered === undefined) return undefined
  return refuse(
    'capability_escalated',
    `None of the proofs of the ${position} grants ${uncovered.ability} on the resource.`,
  )
}

/**
 * Finds the abilities of a token on a resource. An owner has the claimed ones. Any other issuer has a claim that one of
 * its proofs covers; without proofs only if access is open. If a link names `impersonationAbility` and several proofs
 * grant the ability, one that also names it is preferred.
 *
 * @param link the token
 * @param resource all names of the one resource
 * @param policy its owners
 */
export function heldAbilities(link: Link, resource: ReadonlySet<string>, policy: AccessPolicy): HeldAbility[] {
  const { issuer, audience } = link.claims
  const owned = policy.access === 'open' ? link.proofs.length === 0 : policy.roots.includes(issuer)
  const claimed = claimedAbilities(link, resource)
  const asRoot = claimed.includes(impersonationAbility)
  if (owned) return claimed.map(ability => ({ ability, root: issuer, granted: audience, asRoot }))

  const granted = link.proofs.flatMap(proof => heldAbilities(proof, resource, policy))
  return claimed.flatMap(ability => {
    const grants = granted.filter(held => abilityCovers(held.ability, ability))
    const grant = grants.find(held => asRoot && held.asRoot) ?? grants[0]
    return grant ? [{ ...grant, ability, asRoot: asRoot && grant.asRoot }] : []
  })
}

/** Explains why a token does not hold an ability: the first place at which its chain breaks. */
export function explainMissing(link: Link, resource: ReadonlySet<string>, ability: string): Refusal {
  const claimed = claimedAbilities(link, resource).find(claim => abilityCovers(claim, ability))
  if (claimed === undefined) {
    return refuse('capability_missing', `The ${link.position} does not claim ${ability} on the resource.`)
  }
  const parent = link.proofs.find(proof => claimedAbilities(proof, resource).some(it => abilityCovers(it, claimed)))
  if (parent) return explainMissing(parent, resource, claimed)
  return link.proofs.length > 0
    ? refuse('capability_escalated', `The ${link.position} claims an ability that none of its proofs grants.`)
    : refuse(
        'untrusted_root',
        `The ${link.position} is the root of the chain, and its issuer does not own the resource.`,
      )
}

function claimedAbilities(link: Link, resource: ReadonlySet<string>): string[] {
  return link.claims.capabilities.filter(it => resource.has(it.resource)).map(it => it.ability)
}
