import { createHash } from 'node:crypto'
import type { MatrixTransaction } from '../store/matrix-tables.ts'

/** A message that is to be sent. */
export interface OutboxMessage {
  /** Two of one key are one. */
  readonly key: string
  readonly roomId: string
  readonly text: string
  /** On whose behalf; blank for what the bot says by itself. */
  readonly did: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Stores a message that is to be sent. False where one of its key is there already. */
export const putIntoOutbox = async (
  tx: MatrixTransaction,
  { key, roomId, text, did, now }: OutboxMessage,
): Promise<boolean> => {
  const id = createHash('sha256').update(key).digest('hex').slice(0, 40)
  const row = { id, room_id: roomId, text, did, state: 'waiting' as const, at: now }
  const added = await tx
    .insertInto('matrix_outbox')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return added.length > 0
}
