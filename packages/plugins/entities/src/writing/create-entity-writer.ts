import type { EntityCreation } from '@sibyl/protocol'
import type { ChangeBell } from '../changes/change-bell.ts'
import type { Projection } from '../records/projection.ts'
import { creationTask } from './creation-task.ts'
import type { Writer, Written } from './entity-writer.ts'
import { createRounds } from './perform-round.ts'
import { WriteRounds } from './write-rounds.ts'
import type { WritingParts } from './writing-parts.ts'

/** What the writer is made from. */
export interface EntityWriterParts extends WritingParts {
  readonly projections: readonly Projection[]
  readonly bell: ChangeBell
}

/** Writes entities to a database, those that come together in one transaction. */
export const createEntityWriter = (parts: EntityWriterParts) => {
  const { parties, bell } = parts
  const rounds = new WriteRounds(createRounds({ ...parts, written: () => bell.ring() }))
  return {
    create: async (creation: EntityCreation, by: Writer, idempotencyKey?: string): Promise<Written> =>
      rounds.add(creationTask(parts, creation, parties.partyOf(by.did), idempotencyKey)),
  }
}
