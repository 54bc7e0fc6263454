import type { Actor } from '@sibyl/plugin'
import { entitiesErrors } from '../entities-errors.ts'

import type { Writer } from '../writing/entity-writer.ts'

/** Who may call the routes of this plugin: the holder of a key of `ENTITIES_API_KEYS`, or of an ability. */
export const entitiesAccess = (scope: 'read' | 'write') =>
  ({ apiKey: 'ENTITIES_API_KEYS', orUcan: `entities/${scope}` }) as const

/**
 * Who acts in a request that was let in. A UCAN's ability was checked on the way; a key has scopes, of which `*` and
 * abilities are the wider ones.
 *
 * @throws EntityScopeMissing `scope_missing`
 */
export const actingAs = (actor: Actor | undefined, scope: 'read' | 'write'): Writer => {
  if (actor === undefined) throw entitiesErrors.scope_missing({ scope })
  const sufficient = [scope, '*', 'entities/*', `entities/${scope}`]
  if (actor.via === 'api-key' && !actor.scopes.some(held => sufficient.includes(held))) {
    throw entitiesErrors.scope_missing({ scope })
  }
  const isOperators = actor.via === 'api-key' && actor.scopes.some(held => held === 'write' || held === '*')
  return { did: actor.did, ...(isOperators ? { isOperators } : {}) }
}
