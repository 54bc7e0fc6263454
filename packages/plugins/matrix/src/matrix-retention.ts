import { type Retention, retain } from '@sibyl/plugin'
import { kept } from './memory/room-messages.ts'
import type { MatrixHost } from './store/matrix-tables.ts'

/** Retention of events of answered messages, in milliseconds. */
const knownMs = 30 * 86_400_000

/** Retention of encrypted contents, in milliseconds: longer than a message is retried. */
const sealedMs = 2 * 86_400_000

/** Returns the retention of answered messages, old talk and sent events. */
export const matrixRetention = ({ storage }: Pick<MatrixHost, 'storage'>): readonly Retention[] => {
  const byPlace = { key: ['place'] } as const
  return [
    retain(storage, {
      ...byPlace,
      table: 'matrix_inbox',
      where: (eb, now) => eb.and([eb('state', '=', 'done'), eb('at', '<', now - knownMs)]),
    }),
    retain(storage, {
      ...byPlace,
      table: 'matrix_outbox',
      where: (eb, now) => eb.and([eb('state', '!=', 'waiting'), eb('at', '<', now - knownMs)]),
    }),
    retain(storage, { table: 'matrix_sent', key: ['event_id'], where: (eb, now) => eb('at', '<', now - knownMs) }),
    retain(storage, { ...byPlace, table: 'matrix_questions', where: (eb, now) => eb('at', '<', now - knownMs) }),
    retain(storage, { ...byPlace, table: 'matrix_room_messages', where: (eb, now) => eb('at', '<', now - kept.ageMs) }),
    retain(storage, { table: 'matrix_sealed', key: ['id'], where: (eb, now) => eb('at', '<', now - sealedMs) }),
    retain(storage, {
      table: 'matrix_room_summaries',
      key: ['room_id'],
      where: (eb, now) => eb('at', '<', now - kept.ageMs),
    }),
  ]
}
