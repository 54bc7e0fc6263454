import type { Actor, HostGrants } from '@sibyl/plugin'
import { entitiesErrors } from '../entities-errors.ts'

import { actingAs } from './acting.ts'

/** Why a right has ended. Safe to show. */
export interface RightEnd {
  /** `grant_revoked`, `grant_expired`, `grant_removed` or `scope_missing`. */
  readonly code: string
  readonly detail: string
}

/** Finds out why an actor that was let in may not go on; undefined while it may. */
export const rightEndOf = async (
  grants: HostGrants,
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
