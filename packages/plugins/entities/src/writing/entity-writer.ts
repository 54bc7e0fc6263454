import type { Writer } from '../access/acting.ts'
import { shownRelationshipsOf } from '../graph/shown-relationships.ts'
import type { EraseLinksDependencies } from '../history/erase-links.ts'
import type { EntityPatch } from '../records/entity-contract.ts'
import type { ExpectedVersions } from '../records/etag.ts'
import type { NewEntity, StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'
import type { Assigner, ChangeRequest } from './changeable-entity.ts'
import { creationTask } from './creation-task.ts'
import { type CredentialWriter, credentialChanges } from './credential-changes.ts'
import { deactivationTask } from './deactivation-task.ts'
import { erasureTask } from './erasure-task.ts'
import { createRounds, type RoundDependencies } from './perform-round.ts'
import { asRelationRefusal, relationTask } from './relation-task.ts'
import type { CountChanges, StrangerSpace } from './stranger-space.ts'
import { updateTask } from './update-task.ts'
import { WriteRounds } from './write-rounds.ts'
import type { WriteTask, WritingDependencies } from './write-task.ts'

/** The expected state of an entity: a version, those of an `If-Match`, or `any`. */
export type Expected = number | ExpectedVersions

/** A completed change with its response. */
export interface Written {
  readonly entity: StoredEntity
  readonly relationships: Readonly<Record<string, readonly string[]>>
  /** True if this is the response to an earlier request with the same `Idempotency-Key`. */
  readonly repeated?: boolean
}

/**
 * Changes entities: validates everything, reports all problems at once, and writes the entity, its event, its edges and
 * all projections in one transaction. Concurrent changes share a transaction.
 */
export interface EntityWriter extends CredentialWriter {
  /** Throws `entity_invalid` (422, with `issues`), `protocol_unknown`, `protocol_version_superseded` (403), `protocol_version_retired`, `controller_consent_missing` (403), `idempotency_key_reused` (422), `signing_key_missing` (503). */
  create(creation: NewEntity, by: Writer, idempotencyKey?: string): Promise<Written>
  /**
   * Throws `entity_not_found`, `not_controller` (403), `etag_stale` (412), `entity_deactivated` (409),
   * `last_membership_group` (409), `entity_invalid`, and the errors of `create` for protocol and controller. A patch
   * without an effect creates no version.
   */
  update(did: string, patch: EntityPatch, by: Writer, expected: Expected): Promise<Written>
  deactivate(did: string, by: Writer, expected: Expected): Promise<Written>
  /** Removes an erased person's data from an entity: see `erasureTask`. Throws `signing_key_missing`. */
  erase(id: string, did: string): Promise<Written>
  /** Adds or removes edges of an entity, as its controller. */
  readonly relate: Relate
  readonly unrelate: Relate
}

type Relate = (
  did: string,
  relationship: string,
  targets: readonly string[],
  by: Writer,
  expected?: Expected,
) => Promise<Written>

export interface EntityWriterDependencies
  extends WritingDependencies,
    Pick<RoundDependencies, 'projections' | 'written'> {
  /** Signs erased links. */
  readonly identity: EraseLinksDependencies['identity']
  /** Limits of what strangers store. */
  readonly space: StrangerSpace
}

/** Creates the writer of entities to a database. */
export const createEntityWriter = (parts: EntityWriterDependencies): EntityWriter => {
  const { parties, signer } = parts
  const rounds = new WriteRounds(createRounds(parts))
  const perform = async (task: WriteTask, by?: Writer): Promise<Written> => {
    await signer.assertReady()
    const count = by?.actor && parts.space(by.actor)
    const { entity, relationships, ...answer } = await rounds.add(count ? countedTask(task, count) : task)
    return {
      entity,
      relationships: relationships ?? (await shownRelationshipsOf(parts, entity.id)),
      ...answer,
    }
  }
  const assigner = ({ did, isOperators = false }: Writer): Assigner => ({ by: parties.partyOf(did), isOperators })
  const request = (did: string, by: Writer, expected: Expected): ChangeRequest => ({
    ...assigner(by),
    did,
    expected: typeof expected === 'number' ? [expected] : expected,
  })
  return {
    create: async (creation, by, idempotencyKey) =>
      perform(creationTask(parts, creation, assigner(by), idempotencyKey), by),
    update: async (did, patch, by, expected) => perform(updateTask(parts, request(did, by, expected), patch), by),
    deactivate: async (did, by, expected) => perform(deactivationTask(parts, request(did, by, expected)), by),
    erase: async (id, did) => perform(erasureTask(parts, { id, did })),
    relate: async (did, relationship, targets, by, expected = 'any') =>
      perform(relationTask(parts, { ...request(did, by, expected), kind: 'related', relationship, targets }), by).catch(
        error => {
          throw asRelationRefusal(error, relationship)
        },
      ),
    unrelate: async (did, relationship, targets, by, expected = 'any') =>
      perform(relationTask(parts, { ...request(did, by, expected), kind: 'unrelated', relationship, targets }), by),
    ...credentialChanges(parts),
  }
}

/** Returns a task that counts its changes in the transaction that writes them. */
const countedTask = (task: WriteTask, count: CountChanges): WriteTask => ({
  ...task,
  async prepare(known) {
    const prepared = await task.prepare(known)
    if ('unchanged' in prepared) return prepared
    const also = async (tx: EntitiesTransaction) => {
      await prepared.also?.(tx)
      await count(tx, prepared.changes)
    }
    return { ...prepared, also }
  },
})
