import { every } from '@sibyl/plugin'
import { deleteInParts } from '@sibyl/plugin/storage'
import { kept } from './memory/room-messages.ts'
import type { MatrixHost } from './store/matrix-tables.ts'

/** Retention of events of answered messages, in milliseconds. */
const knownMs = 30 * 86_400_000

/** Retention of encrypted contents, in milliseconds: longer than a message is retried. */
const sealedMs = 2 * 86_400_000

/** Schedules the daily deletion of old answered messages and old talk. */
export const scheduleCleanup = ({
  jobs,
  storage,
  clock,
}: Pick<MatrixHost, 'jobs' | 'storage' | 'clock'>): Promise<void> =>
  every(jobs, {
    kind: 'matrix/tidy',
    interval: '1d',
    run: async signal => {
      const known = clock.now() - knownMs
      const count = clock.now() - kept.ageMs
      const byPlace = { key: ['place'], signal } as const
      await deleteInParts(storage, {
        ...byPlace,
        table: 'matrix_inbox',
        where: eb => eb.and([eb('state', '=', 'done'), eb('at', '<', known)]),
      })
      await deleteInParts(storage, {
        ...byPlace,
        table: 'matrix_outbox',
        where: eb => eb.and([eb('state', '!=', 'waiting'), eb('at', '<', known)]),
      })
      const sent = { table: 'matrix_sent', key: ['event_id'], signal } as const
      await deleteInParts(storage, { ...sent, where: eb => eb('at', '<', known) })
      await deleteInParts(storage, { ...byPlace, table: 'matrix_questions', where: eb => eb('at', '<', known) })
      await deleteInParts(storage, { ...byPlace, table: 'matrix_room_messages', where: eb => eb('at', '<', count) })
      const sealed = { table: 'matrix_sealed', key: ['id'], signal } as const
      await deleteInParts(storage, { ...sealed, where: eb => eb('at', '<', clock.now() - sealedMs) })
      const summaries = { table: 'matrix_room_summaries', key: ['room_id'], signal } as const
      await deleteInParts(storage, { ...summaries, where: eb => eb('at', '<', count) })
    },
  })
