import { sessionIdOf } from '../encryption/ratchet-place.ts'
import type { RoomEncryption } from '../encryption/room-encryption.ts'
import { putIntoOutbox } from '../notices/outbox.ts'
import type { Lease } from '../store/lease.ts'
import type { MatrixStorage } from '../store/matrix-tables.ts'

const missingText =
  'I could not decrypt your message, because its key or your device did not become known to me. Please send it again. If that does not help, restart your client.'

export interface MissingKeysDependencies {
  readonly storage: MatrixStorage
  readonly lease: Lease
  readonly encryption: Pick<RoomEncryption, 'isUsed' | 'waiting'>
  readonly now: () => number
}

/**
 * Gives up on messages whose key did not arrive in time, with one notice for each session.
 *
 * @returns whether there were any
 */
export const reportMissingKeys = async ({
  storage,
  lease,
  encryption,
  now,
}: MissingKeysDependencies): Promise<boolean> => {
  if (!encryption.isUsed) return false
  const { ids, sessions } = await encryption.waiting.expired()
  if (ids.length === 0) return false
  await storage.write(async tx => {
    await lease.hold(tx)
    await encryption.waiting.remove(tx, ids)
    for (const { roomId, event } of sessions) {
      const key = `undecrypted ${roomId} ${sessionIdOf(event)}`
      await putIntoOutbox(tx, { key, roomId, text: missingText, did: '', now: now() })
    }
  })
  return true
}
