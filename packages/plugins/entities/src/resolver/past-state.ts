import type { didResolver, ServiceOf } from '@sibyl/protocol'
import { z } from 'zod'
import { lastDocumentChanges } from '../history/document-changes.ts'
import { inRange, versionAt } from '../history/read-chain.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

type DidResolutionOptions = NonNullable<Parameters<ServiceOf<typeof didResolver>['resolve']>[1]>

/** A version of an entity, or a time. */
export type StateAsked =
  | { readonly version: number }
  /** Milliseconds since 1970, inclusive. */
  | { readonly at: number }

/** Members of an entity that its DID document and its metadata use. */
export type DocumentState = Pick<
  StoredEntity,
  'did' | 'controller' | 'services' | 'alsoKnownAs' | 'status' | 'version' | 'createdAt' | 'updatedAt'
>

/** A past state of an entity, and the change that ended it; without that change it is the current state. */
export interface PastState {
  readonly entity: DocumentState
  readonly next?: { readonly version: number; readonly at: number }
}

/**
 * Returns the members that the DID document of an entity was built from, from at most four changes.
 *
 * @returns undefined if it had no such state
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
  const textsOf = (changed: number | null): EntityPatch => changes.get(changed ?? 1) ?? {}
  return {
    entity: {
      did,
      controller: textsOf(controller).controller ?? entity.controller,
      services: textsOf(services).services ?? [],
      alsoKnownAs: textsOf(alsoKnownAs).alsoKnownAs ?? [],
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
 * Parses the requested state of a document. A time without fractions of a second means the whole second, like `created`
 * and `updated`.
 *
 * @returns undefined for the current one; a string that describes the problem
 */
export const stateAsked = ({ versionId, versionTime }: DidResolutionOptions): StateAsked | string | undefined => {
  if (versionId !== undefined && versionTime !== undefined)
    return 'versionId and versionTime exclude each other. Send one of them.'
  if (versionId !== undefined) {
    return /^[1-9]\d{0,8}$/.test(versionId)
      ? { version: Number(versionId) }
      : 'The versionId is invalid. Send a number from 1, such as 3.'
  }
  if (versionTime === undefined) return undefined
  if (!time.safeParse(versionTime).success)
    return 'The versionTime is invalid. Send a time such as 2026-11-21T09:30:00Z.'
  const at = Date.parse(versionTime)
  return { at: versionTime.includes('.') ? at : at + 999 }
}
