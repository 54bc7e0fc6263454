import { deleteInParts } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { kept } from '../memory/room-messages.ts'
import type { MatrixHost } from './matrix-tables.ts'

/** How long the events of answered messages are known, in milliseconds. */
const knownMs = 30 * 86_400_000

const tidyKind = 'matrix/tidy'

/** Lets go every day of what was answered or said long ago. */
export const scheduleTidying = async ({
  jobs,
  storage,
  clock,
}: Pick<MatrixHost, 'jobs' | 'storage' | 'clock'>): Promise<void> => {
  jobs.define(
    tidyKind,
    z.object({}),
    async (_data, { signal }) => {
      const known = clock.now() - knownMs
      const said = clock.now() - kept.ageMs
      await deleteInParts(storage, {
        table: 'matrix_inbox',
        key: ['place'],
        where: eb => eb.and([eb('state', '=', 'done'), eb('at', '<', known)]),
        signal,
      })
      await deleteInParts(storage, {
        table: 'matrix_outbox',
        key: ['place'],
        where: eb => eb.and([eb('state', '!=', 'waiting'), eb('at', '<', known)]),
        signal,
      })
      await deleteInParts(storage, {
        table: 'matrix_sent',
        key: ['event_id'],
        where: eb => eb('at', '<', known),
        signal,
      })
      await deleteInParts(storage, {
        table: 'matrix_questions',
        key: ['place'],
        where: eb => eb('at', '<', known),
        signal,
      })
      await deleteInParts(storage, {
        table: 'matrix_room_messages',
        key: ['place'],
        where: eb => eb('at', '<', said),
        signal,
      })
      await deleteInParts(storage, {
        table: 'matrix_room_summaries',
        key: ['room_id'],
        where: eb => eb('at', '<', said),
        signal,
      })
    },
    { concurrency: 1 },
  )
  await jobs.schedule(tidyKind, '23 3 * * *', 'UTC', tidyKind, {})
}
