import { randomBytes } from 'node:crypto'
import { KeyedQueue } from '@sibyl/plugin'
import type { MatrixClient } from '../client/matrix-client.ts'
import { matrixErrors } from '../client/matrix-errors.ts'
import type { SignIn } from '../client/sign-in.ts'
import type { Lease } from '../store/lease.ts'
import type { MatrixHost, MatrixTransaction } from '../store/matrix-tables.ts'
import type { SignedDevice } from './cross-signing.ts'
import { CryptoThread } from './crypto-thread.ts'
import { type DerivedKeys, deriveKeys } from './derived-keys.ts'
import { readDevice, readRecords, replaceDevice, type StoredDevice, writeRecords } from './device-store.ts'
import { deviceQuery, keyCall, publishedKeys } from './key-requests.ts'
import type { DeviceKeys, KeyRequest, RecordChange } from './thread/crypto-messages.ts'

/** Dependencies of the bot's device. */
export interface CryptoDeviceDependencies {
  readonly host: MatrixHost
  readonly client: Pick<MatrixClient, 'keys'>
  readonly signIn: SignIn
  readonly lease: Lease
}

interface OpenedDevice {
  readonly device: StoredDevice
  readonly thread: CryptoThread
  readonly keys: DeviceKeys
}

/** Whether the device may be used; otherwise why not. */
type Verdict = 'usable' | 'unknown' | 'deleted' | 'other keys at the homeserver'

/**
 * The bot's device in encrypted rooms: its keys and sessions, on a thread and in the database. One operation runs at a
 * time and stores its changes before the next one, so that the database is never behind what was sent. After a failure
 * the thread is discarded, and starts again from the database.
 */
export class CryptoDevice {
  readonly #parts: CryptoDeviceDependencies
  readonly #queue = new KeyedQueue()
  #keys: Promise<DerivedKeys> | undefined
  #opened: OpenedDevice | undefined
  /** True if the homeserver must confirm that it has the keys of the device. */
  #isUnchecked = true
  /** Set when the bot cannot sign in with a new device. */
  #isOff = false

  constructor(parts: CryptoDeviceDependencies) {
    this.#parts = parts
  }

  /** Returns whether encrypted rooms cannot be used until the operator changes a setting. */
  get isOff(): boolean {
    return this.#isOff
  }

  /** Returns whether the homeserver has the keys of the device. */
  get isPublished(): boolean {
    return this.#opened?.device.is_published === true
  }

  /** Reads the device that was used last, before the bot signs in. @returns whether there is one */
  async begin(): Promise<boolean> {
    const { host, signIn } = this.#parts
    this.#isUnchecked = true
    this.#isOff = false
    const device = await host.storage.read.selectFrom('matrix_devices').selectAll().executeTakeFirst()
    const isOwn = device !== undefined && (signIn.userId === '' || signIn.userId === device.user_id)
    signIn.useDevice(isOwn ? device.device_id : undefined)
    return isOwn
  }

  /** Checks the device at its next use, because the bot signed in again. */
  signedInAgain(): void {
    this.#isUnchecked = true
  }

  /** Ends the thread. The next use starts it again. */
  async close(): Promise<void> {
    const { thread } = this.#opened ?? {}
    this.#opened = undefined
    await thread?.close()
  }

  /**
   * Runs operations on the thread, while no others run. The changes that `work` does not store are lost with the thread,
   * so it stores them with `store`, or in its own transaction.
   *
   * @throws `matrix_encryption_off`, `matrix_encryption_failed`, errors of the database and the homeserver
   */
  use<Result>(work: (thread: CryptoThread) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#queue.run(
      'device',
      async () => {
        const { thread } = await this.#ready(signal)
        try {
          return await work(thread)
        } catch (error) {
          await this.close()
          throw error
        }
      },
      signal,
    )
  }

  /** Stores changes, with others of the same transaction. */
  async store(changes: readonly RecordChange[], more?: (tx: MatrixTransaction) => Promise<void>): Promise<void> {
    if (changes.length === 0 && !more) return
    await this.#parts.host.storage.write(async tx => {
      await this.write(tx, changes)
      await more?.(tx)
    })
  }

  /** Writes changes in a transaction. @throws `matrix_lease_lost` */
  async write(tx: MatrixTransaction, changes: readonly RecordChange[]): Promise<void> {
    await this.#parts.lease.hold(tx)
    await writeRecords(tx, changes)
  }

  /** Sends a request about keys, and processes its response. */
  async send(request: KeyRequest, signal: AbortSignal | undefined): Promise<void> {
    const { thread: before } = this.#opened ?? {}
    const response = await this.#ask(request, signal)
    await this.use(async thread => {
      if (thread !== before) throw matrixErrors.matrix_encryption_failed()
      const { id, kind } = request
      const { changes } = await thread.call('answered', { id, kind }, JSON.stringify(response))
      const publishes = kind === 'upload' && 'device_keys' in JSON.parse(request.body)
      await this.store(
        changes,
        publishes
          ? tx =>
              tx
                .updateTable('matrix_devices')
                .set({ is_published: true })
                .execute()
                .then(() => {})
          : undefined,
      )
      if (publishes && this.#opened) {
        this.#opened = { ...this.#opened, device: { ...this.#opened.device, is_published: true } }
      }
    }, signal)
  }

  /** Signs the published keys of the device as its user. @returns undefined if they are not published yet */
  async sign(signal: AbortSignal): Promise<SignedDevice | undefined> {
    const { client, host } = this.#parts
    if (!this.#opened?.device.is_published) return undefined
    const { user_id: userId, device_id: deviceId } = this.#opened.device
    const password = host.env.MATRIX_ORACLE_ADMIN_PASSWORD
    const { signing: keys } = await this.#derivedKeys()
    const { signDevice } = await import('./cross-signing.ts')
    return signDevice({ client, userId, deviceId, password, keys }, signal)
  }

  get deviceId(): string | undefined {
    return this.#opened?.device.device_id
  }

  async #ask(request: KeyRequest, signal: AbortSignal | undefined): Promise<unknown> {
    try {
      return await this.#parts.client.keys({ ...keyCall(request), signal })
    } catch (error) {
      // The homeserver has other keys under the same ids: the database is an older copy.
      const isConflict = matrixErrors.matrix_refused.is(error) && error.facts.answerStatus === 400
      if (request.kind === 'upload' && isConflict) {
        await this.#queue.run('device', () => this.#renew('other keys at the homeserver', signal))
        throw matrixErrors.matrix_encryption_failed({ cause: error })
      }
      throw error
    }
  }

  /** Returns the thread with the keys of the current device; a new device, if the stored one must not be used. */
  async #ready(signal: AbortSignal | undefined): Promise<OpenedDevice> {
    const { host, signIn } = this.#parts
    if (this.#isOff) throw matrixErrors.matrix_encryption_off()
    await signIn.token(signal)
    if (this.#opened && this.#opened.device.restored_at !== (host.restoredAt ?? 0)) {
      await this.#renew('restored database', signal)
    }
    if (this.#opened && this.#opened.device.device_id !== signIn.deviceId) await this.close()
    if (this.#opened && !this.#isUnchecked) return this.#opened
    // A new device is checked as well, so that keys of an earlier one with the same id are noticed.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const opened = this.#opened ?? (await this.#open(signal))
      const verdict = await this.#check(opened, signal)
      if (verdict === 'usable') this.#isUnchecked = false
      if (verdict === 'usable' || verdict === 'unknown') return opened
      await this.#renew(verdict, signal)
    }
    throw matrixErrors.matrix_encryption_failed()
  }

  async #open(signal: AbortSignal | undefined): Promise<OpenedDevice> {
    const { host, signIn } = this.#parts
    const { userId, deviceId } = signIn
    if (deviceId === undefined) throw matrixErrors.matrix_encryption_off()
    const { records: key, id: keyId } = await this.#derivedKeys()
    const restoredAt = host.restoredAt ?? 0
    let device = await readDevice(host.storage.read, userId)
    if (device && device.restored_at !== restoredAt) {
      await this.#renew('restored database', signal)
      return this.#open(signal)
    }
    if (device?.device_id !== deviceId || device.key_id !== keyId) {
      device = { user_id: userId, device_id: deviceId, key_id: keyId, restored_at: restoredAt, is_published: false }
      await this.#replace(device)
    }
    const records = await readRecords(host.storage.read)
    const thread = new CryptoThread()
    try {
      const { result: keys, changes } = await thread.call('open', { userId, deviceId, key, records })
      await this.store(changes)
      signIn.useDevice(deviceId)
      this.#opened = { device, thread, keys }
      return this.#opened
    } catch (error) {
      await thread.close()
      throw error
    }
  }

  /**
   * Compares the keys of the device with those at the homeserver.
   *
   * @returns `unknown` if the homeserver does not answer; otherwise why the device must not be used
   */
  async #check({ device, keys }: OpenedDevice, signal: AbortSignal | undefined): Promise<Verdict> {
    const { user_id: userId, device_id: deviceId } = device
    let answer: unknown
    try {
      answer = await this.#parts.client.keys({ ...deviceQuery(userId, deviceId), signal })
    } catch (error) {
      signal?.throwIfAborted()
      this.#parts.host.log.debug('the device of the bot in Matrix could not be checked', { error })
      return 'unknown'
    }
    const published = publishedKeys(answer, userId, deviceId)
    if (published === 'invalid') return 'unknown'
    if (!published) return device.is_published ? 'deleted' : 'usable'
    const isSame = published.ed25519 === keys.ed25519 && published.curve25519 === keys.curve25519
    return isSame ? 'usable' : 'other keys at the homeserver'
  }

  /** Signs in with a new device, whose keys and sessions are new. */
  async #renew(reason: string, signal: AbortSignal | undefined): Promise<void> {
    const { host, signIn } = this.#parts
    await this.close()
    const deviceId = `SIBYL${randomBytes(6).toString('hex').toUpperCase()}`
    host.log.warn('the bot uses a new device for encrypted Matrix rooms', { reason })
    try {
      await signIn.changeDevice(deviceId, signal)
    } catch (error) {
      const isSetUp = matrixErrors.matrix_encryption_off.is(error) || matrixErrors.matrix_not_set_up.is(error)
      if (!isSetUp) throw error
      this.#isOff = true
      host.log.error('encrypted Matrix rooms cannot be read', { error })
      throw matrixErrors.matrix_encryption_off({}, { cause: error })
    }
    this.#isUnchecked = true
    const { id: key_id } = await this.#derivedKeys()
    const restored_at = host.restoredAt ?? 0
    await this.#replace({
      user_id: signIn.userId,
      device_id: signIn.deviceId ?? deviceId,
      key_id,
      restored_at,
      is_published: false,
    })
  }

  async #replace(device: StoredDevice): Promise<void> {
    await this.#parts.host.storage.write(async tx => {
      await this.#parts.lease.hold(tx)
      await replaceDevice(tx, device)
    })
  }

  #derivedKeys(): Promise<DerivedKeys> {
    this.#keys ??= deriveKeys(this.#parts.host.identity)
    return this.#keys
  }
}
