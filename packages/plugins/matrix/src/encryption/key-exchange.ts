import { matrixErrors } from '../client/matrix-errors.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import type { CryptoDevice } from './crypto-device.ts'

/** Maximum number of rounds of requests about keys, whose responses may cause others. */
const maxRounds = 5

/** Failures of a request about devices with which messages are still read. */
const passing = [matrixErrors.matrix_unavailable, matrixErrors.matrix_busy, matrixErrors.matrix_refused]

/** Exchanges keys with other devices, through the homeserver. */
export class KeyExchange {
  readonly #host: Pick<MatrixHost, 'storage' | 'log'>
  readonly #device: CryptoDevice
  /** The device that was signed last. */
  #signed: string | undefined
  #requesting: Promise<void> | undefined

  constructor(host: Pick<MatrixHost, 'storage' | 'log'>, device: CryptoDevice) {
    this.#host = host
    this.#device = device
  }

  /** Sends the requests that are due. Waits for them if the device is new, so that its keys are published. Never rejects. */
  async request(signal: AbortSignal): Promise<void> {
    this.#requesting ??= this.#sendRequests(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#host.log.warn('keys of encrypted Matrix rooms were not exchanged yet', { error })
      })
      .finally(() => {
        this.#requesting = undefined
      })
    if (!this.#device.isPublished) await this.#requesting
  }

  /** Waits for the current requests. */
  async idle(): Promise<void> {
    await this.#requesting
  }

  /** Gives the key of a room to the devices of its members that do not have it. */
  async share(roomId: string, signal: AbortSignal | undefined): Promise<void> {
    const members = await this.#host.storage.read
      .selectFrom('matrix_members')
      .select('user_id')
      .where('room_id', '=', roomId)
      .execute()
    const users = members.map(({ user_id }) => user_id)
    await this.#device.use(async thread => this.#device.store((await thread.call('track', users)).changes), signal)
    await this.#sendDue(signal)
    await this.#claim(users, signal)
    const requests = await this.#device.use(async thread => {
      const { result, changes } = await thread.call('shareKey', roomId, users)
      await this.#device.store(changes)
      return result
    }, signal)
    for (const request of requests) await this.#device.send(request, signal)
  }

  /**
   * Reads the devices of users that are not known yet, so that the owner of the device of a message is known. A failure is
   * logged, and their messages wait.
   */
  async learnDevices(users: readonly string[], signal: AbortSignal): Promise<void> {
    if (users.length === 0) return
    const requests = await this.#device.use(async thread => {
      const tracked = await thread.call('track', users)
      const { result, changes } = await thread.call('requests')
      await this.#device.store([...tracked.changes, ...changes])
      return result
    }, signal)
    try {
      for (const request of requests) if (request.kind === 'query') await this.#device.send(request, signal)
    } catch (error) {
      if (signal.aborted || !passing.some(one => one.is(error))) throw error
      this.#host.log.warn('devices of Matrix users could not be read yet', { error })
    }
  }

  async #sendRequests(signal: AbortSignal): Promise<void> {
    await this.#sendDue(signal)
    await this.#claim([], signal)
    await this.#sendDue(signal)
    await this.#sign(signal)
  }

  /** Signs the device once. */
  async #sign(signal: AbortSignal): Promise<void> {
    const { deviceId } = this.#device
    if (deviceId === undefined || deviceId === this.#signed) return
    const result = await this.#device.sign(signal)
    if (result === undefined) return
    this.#signed = deviceId
    if (result !== 'signed') {
      this.#host.log.info('clients show the device of the bot in Matrix as unverified', { reason: result })
    }
  }

  async #sendDue(signal: AbortSignal | undefined): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      const requests = await this.#device.use(async thread => {
        const { result, changes } = await thread.call('requests')
        await this.#device.store(changes)
        return result
      }, signal)
      if (requests.length === 0) return
      for (const request of requests) await this.#device.send(request, signal)
    }
  }

  /** Starts sessions with devices that have none. */
  async #claim(users: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const request = await this.#device.use(async thread => {
      const { result, changes } = await thread.call('missingSessions', users)
      await this.#device.store(changes)
      return result
    }, signal)
    if (request) await this.#device.send(request, signal)
  }
}
