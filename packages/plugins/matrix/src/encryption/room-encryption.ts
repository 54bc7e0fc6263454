import { KeyedQueue } from '@sibyl/plugin'
import { z } from 'zod'
import type { MatrixClient, MessageSealing, RoomContent } from '../client/matrix-client.ts'
import { matrixErrors } from '../client/matrix-errors.ts'
import { matrixUserId } from '../client/matrix-event.ts'
import type { SyncBatch } from '../client/read-sync.ts'
import type { SignIn } from '../client/sign-in.ts'
import type { Lease } from '../store/lease.ts'
import type { MatrixHost, MatrixTransaction } from '../store/matrix-tables.ts'
import { CryptoDevice } from './crypto-device.ts'
import { createKeyExchange, type KeyExchange } from './key-exchange.ts'
import { encryptedOf, eventJson, hasEncryption, type OpenedBatch, openedBatch } from './opened-batch.ts'
import { WaitingMessages } from './waiting-messages.ts'

/** Number of consecutive failures after which a batch is taken without its keys, so that one cannot block all others. */
const maxFailures = 5

/** Failures of encryption that do not concern other rooms. */
const mayBeSkipped = [
  matrixErrors.matrix_encryption_failed,
  matrixErrors.matrix_unavailable,
  matrixErrors.matrix_busy,
  matrixErrors.matrix_refused,
]

export interface EncryptionDependencies {
  readonly host: MatrixHost
  readonly client: Pick<MatrixClient, 'keys'>
  readonly signIn: SignIn
  readonly lease: Lease
}

/**
 * Reads and writes encrypted rooms. The thread with the keys starts with the first encrypted room. Used by the process
 * that has the lease alone.
 */
export class RoomEncryption implements MessageSealing {
  readonly #host: MatrixHost
  readonly #device: CryptoDevice
  readonly #keys: KeyExchange
  readonly waiting: WaitingMessages
  readonly #rooms = new KeyedQueue()
  /** Sent messages whose encrypted contents can be deleted. */
  #sent: string[] = []
  #isUsed = false
  #lastCounts = ''
  #failures = 0

  constructor(parts: EncryptionDependencies) {
    this.#host = parts.host
    this.#device = new CryptoDevice(parts)
    this.#keys = createKeyExchange(parts.host, this.#device)
    this.waiting = new WaitingMessages(parts.host)
  }

  /** Reads whether there are encrypted rooms, before the bot signs in. */
  async begin(): Promise<void> {
    if (!this.#isOn) return
    const hasDevice = await this.#device.begin()
    const room = await this.#host.storage.read
      .selectFrom('matrix_rooms')
      .select('room_id')
      .where('is_encrypted', '=', true)
      .limit(1)
      .executeTakeFirst()
    this.#isUsed = hasDevice || room !== undefined
    this.#forget()
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    await this.#keys.idle()
    this.#forget()
    await this.#device.close()
  }

  #forget(): void {
    this.#lastCounts = ''
    this.#sent = []
  }

  /** Returns whether there are encrypted rooms. */
  get isUsed(): boolean {
    return this.#isUsed
  }

  get #isOn(): boolean {
    return this.#host.env.MATRIX_ENCRYPTION === 'on'
  }

  /** Checks the device again, because the bot signed in again. */
  signedInAgain(): void {
    this.#device.signedInAgain()
  }

  /** Returns whether a batch must be stored for its keys alone. */
  concerns({ keys }: SyncBatch): boolean {
    if (!this.#isUsed || this.#device.isOff) return false
    const hasNews = keys.toDevice.length + keys.changed.length + keys.left.length > 0
    return hasNews || countsOf(keys) !== this.#lastCounts
  }

  /**
   * Decrypts a batch, and stores it with the changed keys.
   *
   * @param store Writes the batch and the changes in one transaction.
   */
  async receive<Result>(
    batch: SyncBatch,
    { isFirst, signal }: { readonly isFirst: boolean; readonly signal: AbortSignal },
    store: (opened: OpenedBatch) => Promise<Result>,
  ): Promise<Result> {
    this.#isUsed ||= this.#isOn && hasEncryption(batch)
    const unread = { batch, released: [], sealed: [], places: new Map(), changes: [], isOff: !this.#isOn }
    const sealed = encryptedOf(batch)
    const isNews = isFirst || sealed.length > 0 || this.concerns(batch)
    if (!this.#isUsed || !isNews || this.#device.isOff) return store(unread)
    try {
      const senders = new Set([...sealed.map(({ event }) => event.sender), ...sendersOf(batch.keys)])
      await this.#keys.learnDevices([...senders], signal)
      const result = await this.#device.use(async thread => {
        const { keys } = batch
        const received = await thread.call('receive', { ...keys, toDevice: JSON.stringify(keys.toDevice), isFirst })
        const waiting = await this.waiting.list()
        const messages = [...waiting, ...sealed]
        const events = messages.map(({ roomId, event }) => ({ roomId, event: eventJson(roomId, event) }))
        const decrypted = await thread.call('decrypt', events)
        const results = new Map(messages.map(({ event }, place) => [event, decrypted.result[place]!]))
        const changes = [...received.changes, ...decrypted.changes]
        return store({ ...openedBatch(batch, waiting, results), changes, isOff: false })
      }, signal)
      this.#failures = 0
      this.#lastCounts = countsOf(batch.keys)
      return result
    } catch (error) {
      if (matrixErrors.matrix_encryption_off.is(error)) return store(unread)
      if (signal.aborted || !mayBeSkipped.some(one => one.is(error))) throw error
      this.#failures += 1
      if (this.#failures < maxFailures) throw error
      this.#failures = 0
      this.#host.log.error('encrypted Matrix messages were skipped: their encryption failed repeatedly', { error })
      return store(unread)
    }
  }

  /** Writes changes of `receive` in a transaction. */
  async write(tx: MatrixTransaction, changes: OpenedBatch['changes']): Promise<void> {
    if (changes.length > 0) await this.#device.write(tx, changes)
  }

  /** Sends the requests about keys that are due. A new device waits for its keys to be published. Never rejects. */
  async requestKeys(signal: AbortSignal): Promise<void> {
    if (this.#isUsed && !this.#device.isOff) await this.#keys.request(signal)
  }

  async seal(
    roomId: string,
    transactionId: string,
    content: RoomContent['content'],
    signal?: AbortSignal,
  ): Promise<RoomContent> {
    if (!this.#isOn || !(await this.#isEncrypted(roomId))) return { type: 'm.room.message', content }
    const id = sealedId(roomId, transactionId)
    return this.#rooms.run(
      roomId,
      async () => {
        const kept = await this.#host.storage.read
          .selectFrom('matrix_sealed')
          .select('content')
          .where('id', '=', id)
          .executeTakeFirst()
        if (kept) return encrypted(kept.content)
        await this.#keys.share(roomId, signal)
        return encrypted(await this.#encrypt({ id, roomId, content }, signal))
      },
      signal,
    )
  }

  sent(roomId: string, transactionId: string): void {
    if (this.#isUsed) this.#sent.push(sealedId(roomId, transactionId))
  }

  /** Encrypts a message, and stores the result with the changed ratchet before anything is sent. */
  #encrypt(
    { id, roomId, content }: { readonly id: string; readonly roomId: string; readonly content: RoomContent['content'] },
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const at = this.#host.clock.now()
    return this.#device.use(async thread => {
      const { result, changes } = await thread.call('encrypt', roomId, 'm.room.message', JSON.stringify(content))
      const sent = this.#sent.splice(0, 200)
      await this.#device.store(changes, async tx => {
        if (sent.length > 0) await tx.deleteFrom('matrix_sealed').where('id', 'in', sent).execute()
        await tx.insertInto('matrix_sealed').values({ id, room_id: roomId, content: result, at }).execute()
      })
      return result
    }, signal)
  }

  async #isEncrypted(roomId: string): Promise<boolean> {
    const room = await this.#host.storage.read
      .selectFrom('matrix_rooms')
      .select('is_encrypted')
      .where('room_id', '=', roomId)
      .executeTakeFirst()
    return room?.is_encrypted === true
  }
}

const countsOf = ({ oneTimeKeys, unusedFallbackKeys }: SyncBatch['keys']): string =>
  JSON.stringify([oneTimeKeys, unusedFallbackKeys])

/** Returns the users whose devices sent keys. */
const sendersOf = ({ toDevice }: SyncBatch['keys']): string[] =>
  toDevice.flatMap(event => {
    const { data } = toDeviceEvent.safeParse(event)
    return data ? [data.sender] : []
  })

const toDeviceEvent = z.object({ type: z.literal('m.room.encrypted'), sender: matrixUserId })

const sealedId = (roomId: string, transactionId: string): string => `${roomId} ${transactionId}`

const encrypted = (content: string): RoomContent => ({
  type: 'm.room.encrypted',
  content: JSON.parse(content) as RoomContent['content'],
})
