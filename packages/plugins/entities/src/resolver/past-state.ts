import type { DidResolutionOptions, EntityPatch } from '@sibyl/protocol'
import { z } from 'zod'
import { lastDocumentChanges } from '../history/document-changes.ts'
import { inRange, versionAt } from '../history/read-chain.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

/** A version of an entity, or a time. */
export type StateAsked =
  | { readonly version: number }
  /** Milliseconds since 1970; what was changed at that time counts. */
  | { readonly at: number }

/** Members of an entity in its DID document and in the metadata of it. */
export type DocumentState = Pick<
  StoredEntity,
  'did' | 'controller' | 'services' | 'alsoKnownAs' | 'status' | 'version' | 'createdAt' | 'updatedAt'
>

/** An entity as it was, and the change that ended that state; without one it is the present state. */
export interface PastState {
  readonly entity: DocumentState
  readonly next?: { readonly version: number; readonly at: number }
}

/**
 * Returns the members that the DID document of an entity was made of, from four changes at most, however many there are.
 *
 * @returns undefined where it had no such state
 */
export const pastState = async (
  read: EntitiesStorage['read'],
  entity: StoredEntity,
  asked: StateAsked,
): Promise<PastState | undefined> => {
  const version = 'version' in asked ? asked.version : await versionAt(read, entity, asked.at)
  if (version < 1 || version > entity.version) return undefined
  const { id, did, createdAt } = entity
  const [{ controller, services, alsoKnownAs, status }, times] = await Promise.all([
    lastDocumentChanges(read, id, version),
    inRange(read, id, { after: version - 1, limit: 2 })
      .select(['version', 'at'])
      .execute(),
  ])
  const [own, next] = times
  if (own?.version !== version) return undefined
  const wanted = [...new Set([1, controller ?? 1, services ?? 1, alsoKnownAs ?? 1])]
  const rows = await read
    .selectFrom('entities_events')
    .select(['version', 'change'])
    .where('entity_id', '=', id)
    .where('version', 'in', wanted)
    .execute()
  const changes = new Map(rows.map(row => [row.version, row.change as EntityPatch]))
  const said = (changed: number | null): EntityPatch => changes.get(changed ?? 1) ?? {}
  return {
    entity: {
      did,
      controller: said(controller).controller ?? entity.controller,
      services: said(services).services ?? [],
      alsoKnownAs: said(alsoKnownAs).alsoKnownAs ?? [],
      status: status === null ? 'active' : 'deactivated',
      version,
      createdAt,
      updatedAt: own.at,
    },
    ...(next ? { next } : {}),
  }
}

const time = z.iso.datetime({ offset: true })

/**
 * Reads the requested state of a document. A time without fractions of a second means the whole second, as `created`
 * and `updated` are in whole seconds.
 *
 * @returns undefined for the present one; a text that says what is wrong
 */
export const stateAsked = ({ versionId, versionTime }: DidResolutionOptions): StateAsked | string | undefined => {
  if (versionId !== undefined && versionTime !== undefined) return 'Give versionId or versionTime, not both.'
  if (versionId !== undefined) {
    return /^[1-9]\d{0,8}$/.test(versionId)
      ? { version: Number(versionId) }
      : 'A versionId is a number from 1, such as 3.'
  }
  if (versionTime === undefined) return undefined
  if (!time.safeParse(versionTime).success) return 'A versionTime is a time such as 2026-11-21T09:30:00Z.'
  const at = Date.parse(versionTime)
  return { at: versionTime.includes('.') ? at : at + 999 }
}
