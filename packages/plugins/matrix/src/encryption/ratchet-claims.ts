import type { MatrixTransaction } from '../store/matrix-tables.ts'
import type { RatchetPlace } from './ratchet-place.ts'

interface PlacedMessage extends RatchetPlace {
  readonly roomId: string
  readonly eventId: string
}

/**
 * Claims the place of a decrypted message, in the transaction that stores the message. The places of a session only grow, so a
 * homeserver can neither repeat a message nor keep one back and deliver it after later ones.
 *
 * @returns `known`: the same event was read before; `used`: it is a copy, or comes too late
 */
export const claimRatchet = async (
  tx: MatrixTransaction,
  { roomId, session: sessionId, index, eventId }: PlacedMessage,
): Promise<'new' | 'known' | 'used'> => {
  const session = `${roomId} ${sessionId}`
  const claimed = await tx
    .insertInto('matrix_ratchets')
    .values({ session, place: index })
    .onConflict(conflict =>
      conflict.column('session').doUpdateSet({ place: index }).where('matrix_ratchets.place', '<', index),
    )
    .returning('place')
    .execute()
  if (claimed.length > 0) return 'new'
  for (const table of ['matrix_inbox', 'matrix_room_messages'] as const) {
    const known = await tx.selectFrom(table).select('event_id').where('event_id', '=', eventId).execute()
    if (known.length > 0) return 'known'
  }
  return 'used'
}
