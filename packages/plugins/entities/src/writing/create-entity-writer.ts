import type { ChangeBell } from '../changes/change-bell.ts'
import type { EraseLinksDependencies } from '../erasing/erase-links.ts'
import { erasureTask } from '../erasing/erasure-task.ts'
import type { ExpectedVersions } from '../records/etag.ts'
import type { Projection } from '../records/projection.ts'
import { shownRelationships } from '../storage/shown-relationships.ts'
import type { ChangeRequest } from './changeable-entity.ts'
import { creationTask } from './creation-task.ts'
import { credentialChanges } from './credential-changes.ts'
import { deactivationTask } from './deactivation-task.ts'
import type { EntityWriter, Expected, Writer, Written } from './entity-writer.ts'
import { createRounds, writeChanges } from './perform-round.ts'
import { asRelationRefusal, relationTask } from './relation-task.ts'
import { updateTask } from './update-task.ts'
import { WriteRounds } from './write-rounds.ts'
import type { WriteTask } from './write-task.ts'
import type { WritingParts } from './writing-parts.ts'

/** What the writer is made from. */
export interface EntityWriterParts extends WritingParts {
  readonly projections: readonly Projection[]
  readonly bell: ChangeBell
  /** Signs links that are emptied. */
  readonly identity: EraseLinksDependencies['identity']
}

/** Writes entities to a database, those that come together in one transaction. */
export const createEntityWriter = (parts: EntityWriterParts): EntityWriter => {
  const { parties, bell, storage, signer, now } = parts
  const written = () => bell.ring()
  const rounds = new WriteRounds(createRounds({ ...parts, written }))
  const perform = async (task: WriteTask): Promise<Written> => {
    await signer.assertReady()
    const { entity, relationships, ...answer } = await rounds.add(task)
    return {
      entity,
      relationships: relationships ?? (await shownRelationships(parts.edges, storage.read, entity.id)),
      ...answer,
    }
  }
  const request = (did: string, by: Writer, expected: Expected): ChangeRequest => ({
    did,
    by: parties.partyOf(by.did),
    isOperators: by.isOperators === true,
    expected: versionsOf(expected),
  })
  return {
    create: async (creation, by, idempotencyKey) =>
      perform(
        creationTask(
          parts,
          creation,
          { by: parties.partyOf(by.did), isOperators: by.isOperators === true },
          idempotencyKey,
        ),
      ),
    update: async (did, patch, by, expected) => perform(updateTask(parts, request(did, by, expected), patch)),
    deactivate: async (did, by, expected) => perform(deactivationTask(parts, request(did, by, expected))),
    erase: async (id, did) => perform(erasureTask(parts, { id, did })),
    relate: async (did, relationship, targets, by, expected = 'any') =>
      perform(relationTask(parts, { ...request(did, by, expected), kind: 'related', relationship, targets })).catch(
        error => {
          throw asRelationRefusal(error, relationship)
        },
      ),
    unrelate: async (did, relationship, targets, by, expected = 'any') =>
      perform(relationTask(parts, { ...request(did, by, expected), kind: 'unrelated', relationship, targets })),
    ...credentialChanges({
      engine: storage.engine,
      signer,
      parties,
      now,
      write: (tx, changes) => writeChanges(parts, tx, changes),
      written,
    }),
  }
}

const versionsOf = (expected: Expected): ExpectedVersions => (typeof expected === 'number' ? [expected] : expected)
