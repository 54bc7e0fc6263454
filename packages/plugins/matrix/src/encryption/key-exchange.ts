import { matrixErrors } from '../client/matrix-errors.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import type { CryptoDevice } from './crypto-device.ts'

/** Maximum number of rounds of requests about keys, whose responses may cause others. */
const maxRounds = 5

/** Failures of a request about devices with which messages are still read. */
const passing = [matrixErrors.matrix_unavailable, matrixErrors.matrix_busy, matrixErrors.matrix_refused]

export const createKeyExchange = (host: Pick<MatrixHost, 'storage' | 'log'>, device: CryptoDevice) => {
  /** The device that was signed last. */
  let signed: string | undefined
  let requesting: Promise<void> | undefined
  const sendRequests = async (signal: AbortSignal): Promise<void> => {
    await sendDue(signal)
    await claim([], signal)
    await sendDue(signal)
    await sign(signal)
  }
  /** Signs the device once. */
  const sign = async (signal: AbortSignal): Promise<void> => {
    const { deviceId } = device
    if (deviceId === undefined || deviceId === signed) return
    const result = await device.sign(signal)
    if (result === undefined) return
    signed = deviceId
    if (result !== 'signed') {
      host.log.info('clients show the device of the bot in Matrix as unverified', { reason: result })
    }
  }
  const sendDue = async (signal: AbortSignal | undefined): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const requests = await device.use(async thread => {
        const { result, changes } = await thread.call('requests')
        await device.store(changes)
        return result
      }, signal)
      if (requests.length === 0) return
      for (const request of requests) await device.send(request, signal)
    }
  }
  /** Starts sessions with devices that have none. */
  const claim = async (users: readonly string[], signal: AbortSignal | undefined): Promise<void> => {
    const request = await device.use(async thread => {
      const { result, changes } = await thread.call('missingSessions', users)
      await device.store(changes)
      return result
    }, signal)
    if (request) await device.send(request, signal)
  }
  return {
    /** Sends the requests that are due. Waits for them if the device is new, so that its keys are published. Never rejects. */
    async request(signal: AbortSignal): Promise<void> {
      requesting ??= sendRequests(signal)
        .catch((error: unknown) => {
          if (!signal.aborted) host.log.warn('keys of encrypted Matrix rooms were not exchanged yet', { error })
        })
        .finally(() => {
          requesting = undefined
        })
      if (!device.isPublished) await requesting
    },
    /** Waits for the current requests. */
    async idle(): Promise<void> {
      await requesting
    },
    /** Gives the key of a room to the devices of its members that do not have it. */
    async share(roomId: string, signal: AbortSignal | undefined): Promise<void> {
      const members = await host.storage.read
        .selectFrom('matrix_members')
        .select('user_id')
        .where('room_id', '=', roomId)
        .execute()
      const users = members.map(({ user_id }) => user_id)
      await device.use(async thread => device.store((await thread.call('track', users)).changes), signal)
      await sendDue(signal)
      await claim(users, signal)
      const requests = await device.use(async thread => {
        const { result, changes } = await thread.call('shareKey', roomId, users)
        await device.store(changes)
        return result
      }, signal)
      for (const request of requests) await device.send(request, signal)
    },
    /**
     * Reads the devices of users that are not known yet, so that the owner of the device of a message is known. A failure is
     * logged, and their messages wait.
     */
    async learnDevices(users: readonly string[], signal: AbortSignal): Promise<void> {
      if (users.length === 0) return
      const requests = await device.use(async thread => {
        const tracked = await thread.call('track', users)
        const { result, changes } = await thread.call('requests')
        await device.store([...tracked.changes, ...changes])
        return result
      }, signal)
      try {
        for (const request of requests) if (request.kind === 'query') await device.send(request, signal)
      } catch (error) {
        if (signal.aborted || !passing.some(one => one.is(error))) throw error
        host.log.warn('devices of Matrix users could not be read yet', { error })
      }
    },
  }
}

/** Exchanges keys with other devices, through the homeserver. */
export type KeyExchange = ReturnType<typeof createKeyExchange>
