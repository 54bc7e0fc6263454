/** The right to do something to something. On the wire: `{ with: resource, can: ability }`. */
export interface Capability {
  /** A URI, such as `oracle:did:key:z6Mk…`; compared character by character. */
  readonly resource: string
  /** `chat/send`, or a pattern: `chat/*` covers everything below `chat`, `*` covers everything. */
  readonly ability: string
}

const RESOURCE = /^[a-z][a-z0-9+.-]*:\S+$/i
const ABILITY = /^(\*|[\w.-]+(\/[\w.-]+)*\/(\*|[\w.-]+))$/

/** Schemes with a meaning of their own in UCAN 0.8: all of the issuer's, delegated ownership, all of a proof's. */
const FORBIDDEN_SCHEME = /^(my|as|prf):/i

/** Returns whether a text is a resource: a scheme, a colon and a part without white space. */
export function isResource(text: string): boolean {
  return RESOURCE.test(text)
}

/** Returns whether a resource uses one of the schemes that Sibyl rejects: `my:`, `as:` and `prf:`. */
export function hasForbiddenScheme(resource: string): boolean {
  return FORBIDDEN_SCHEME.test(resource)
}

/** Returns whether a text is an ability (`chat/send`) or a pattern of abilities (`chat/*`, `*`). */
export function isAbility(text: string): boolean {
  return ABILITY.test(text)
}

/**
 * The ability to act as the root of a chain. No pattern covers it: the root and every link below name it exactly, so that
 * a grant of `*` lets its holder act under their own DID alone.
 */
export const impersonationAbility = 'auth/impersonate'

/**
 * Start of the abilities of the operator. `*` does not cover them: the root and every link below name them, so that a
 * grant of `*` does not make its holder an operator.
 */
const operatorAbilities = 'operator/'

/**
 * Returns whether one ability covers another. A pattern never covers `impersonationAbility`, and `*` none of the operator.
 *
 * @param granted an ability or a pattern
 * @param wanted an ability or a pattern
 *
 * @example
 * abilityCovers('chat/*', 'chat/send') // true
 * abilityCovers('chat/send', 'chat/*') // false
 * abilityCovers('*', 'auth/impersonate') // false
 * abilityCovers('*', 'operator/read') // false
 */
export function abilityCovers(granted: string, wanted: string): boolean {
  if (granted === wanted) return true
  if (wanted === impersonationAbility) return false
  if (granted === '*') return !wanted.startsWith(operatorAbilities)
  return granted.endsWith('/*') && wanted.startsWith(granted.slice(0, -1))
}
