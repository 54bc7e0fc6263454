import type { Actor, Host } from '@sibyl/plugin'
import { entitiesErrors } from '../errors/entities-errors.ts'

export interface Writer {
  /** The DID that controls what it creates. */
  readonly did: string
  /** True for an operator's API key, which may make any DID the controller. */
  readonly isOperators?: boolean
  /** The caller, for the limits of strangers; absent for the oracle itself. */
  readonly actor?: Actor
}

/** Returns the access of a route: for holders of a key of `ENTITIES_API_KEYS`, or of an ability. */
export const entitiesAccess = (scope: 'read' | 'write') =>
  ({ apiKey: 'ENTITIES_API_KEYS', orUcan: `entities/${scope}` }) as const

/**
 * Returns the caller of an authorized request. A UCAN's ability was checked before; a key has scopes, of which `*` and
 * abilities are the wider ones.
 *
 * @throws `scope_missing`
 */
export const actingAs = (actor: Actor | undefined, scope: 'read' | 'write'): Writer => {
  if (actor === undefined) throw entitiesErrors.scope_missing({ scope })
  const sufficient = [scope, '*', 'entities/*', `entities/${scope}`]
  if (actor.via === 'api-key' && !actor.scopes.some(held => sufficient.includes(held))) {
    throw entitiesErrors.scope_missing({ scope })
  }
  const isOperators = actor.via === 'api-key' && actor.scopes.some(held => held === 'write' || held === '*')
  return { did: actor.did, actor, ...(isOperators ? { isOperators } : {}) }
}

/** Reason for which a right has ended. Safe to show. */
export interface RightEnd {
  /** `grant_revoked`, `grant_expired`, `grant_removed` or `scope_missing`. */
  readonly code: string
  readonly detail: string
}

/** Returns the reason for which the right of an actor has ended; undefined while it holds. */
export const rightEndOf = async (
  grants: Host['grants'],
  actor: Actor,
  scope: 'read' | 'write',
): Promise<RightEnd | undefined> => {
  const verdict = await grants.check(actor)
  if (!verdict.holds) return verdict.refusal
  try {
    actingAs(verdict.actor, scope)
    return undefined
  } catch (error) {
    if (entitiesErrors.scope_missing.is(error)) return { code: error.code, detail: error.message }
    throw error
  }
}
