import {
  DecryptionErrorCode,
  DecryptionSettings,
  DeviceId,
  DeviceLists,
  EncryptionSettings,
  initAsync,
  MegolmDecryptionError,
  OlmMachine,
  RequestType,
  RoomId,
  ShieldStateCode,
  StoreHandle,
  TrustRequirement,
  UserId,
} from '@matrix-org/matrix-sdk-crypto-wasm'
import type { CryptoOperations, KeyRequest, OpenDevice, OpenedEvent, SealedEvent } from './crypto-messages.ts'
import type { IndexedRecords } from './indexed-records.ts'

type Operations = {
  readonly [Name in keyof CryptoOperations]: (
    ...args: Parameters<CryptoOperations[Name]>
  ) => Promise<ReturnType<CryptoOperations[Name]>>
}

/** The kinds of requests of which the response is needed. */
const kinds = new Map<RequestType, KeyRequest['kind']>([
  [RequestType.KeysUpload, 'upload'],
  [RequestType.KeysQuery, 'query'],
  [RequestType.KeysClaim, 'claim'],
  [RequestType.ToDevice, 'to-device'],
  [RequestType.SignatureUpload, 'signatures'],
])
const types = new Map([...kinds].map(([type, kind]) => [kind, type]))

const ignore = () => {}
/** Messages of the library may contain ids of users. */
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** Name of the databases of the crypto store. */
const storeName = 'sibyl'

/** Returns whether the sender of an event owns its device. The bot verifies no users, so they and their devices need no signature. */
const isOwned = (code: ShieldStateCode | undefined): boolean =>
  code === undefined || code === ShieldStateCode.UnverifiedIdentity || code === ShieldStateCode.UnsignedDevice

/** The encryption of one device: the operations on its machine. */
export const cryptoOperations = (records: IndexedRecords): Operations => {
  let opened: OlmMachine | undefined

  const machine = (): OlmMachine => {
    if (!opened) throw new Error('The device is not open.')
    return opened
  }

  const open = async ({ userId, deviceId, key, records: stored }: OpenDevice) => {
    await initAsync()
    await records.restore(stored)
    const store = await StoreHandle.openWithKey(storeName, key, logger)
    opened = await OlmMachine.initFromStore(new UserId(userId), new DeviceId(deviceId), store, logger)
    opened.roomKeyRequestsEnabled = false
    opened.roomKeyForwardingEnabled = false
    const { ed25519, curve25519 } = opened.identityKeys
    return { ed25519: ed25519.toBase64(), curve25519: curve25519.toBase64() }
  }

  const decryptOne = async ({ roomId, event }: SealedEvent): Promise<OpenedEvent> => {
    try {
      const settings = new DecryptionSettings(TrustRequirement.Untrusted)
      const opened = await machine().decryptRoomEvent(event, new RoomId(roomId), settings)
      const { code } = opened.shieldState(true)
      if (code === ShieldStateCode.MismatchedSender) return { fault: 'forged' }
      return isOwned(code) ? { event: opened.event } : { fault: 'missing' }
    } catch (error) {
      const isMissing = error instanceof MegolmDecryptionError && error.code === DecryptionErrorCode.MissingRoomKey
      if (!isMissing) return { fault: 'unreadable' }
      return { fault: error.withheldCode === undefined ? 'missing' : 'withheld' }
    }
  }

  return {
    open,
    async receive({ toDevice, changed, left, oneTimeKeys, unusedFallbackKeys, isFirst }) {
      if (isFirst) await machine().markAllTrackedUsersAsDirty()
      await machine().receiveSyncChanges(
        toDevice,
        new DeviceLists(toUserIds(changed), toUserIds(left)),
        new Map(Object.entries(oneTimeKeys)),
        unusedFallbackKeys && new Set(unusedFallbackKeys),
        new DecryptionSettings(TrustRequirement.Untrusted),
      )
    },
    async decrypt(events) {
      const results: OpenedEvent[] = []
      for (const event of events) results.push(await decryptOne(event))
      return results
    },
    requests: async () => (await machine().outgoingRequests()).flatMap(toKeyRequest),
    async answered({ id, kind }, response) {
      const type = types.get(kind)
      if (id !== undefined && type !== undefined) await machine().markRequestAsSent(id, type, response)
    },
    track: users => machine().updateTrackedUsers(toUserIds(users)),
    async missingSessions(users) {
      const request = await machine().getMissingSessions(toUserIds(users))
      return request ? toKeyRequest(request)[0] : undefined
    },
    async shareKey(roomId, users) {
      const requests = await machine().shareRoomKey(new RoomId(roomId), toUserIds(users), new EncryptionSettings())
      return requests.flatMap(toKeyRequest)
    },
    encrypt: (roomId, type, content) => machine().encryptRoomEvent(new RoomId(roomId), type, content),
  }
}

/** Ids of others that the library does not accept are omitted. */
const toUserIds = (ids: readonly string[]): UserId[] =>
  ids.flatMap(id => {
    try {
      return [new UserId(id)]
    } catch {
      return []
    }
  })

const toKeyRequest = (request: {
  readonly id: string | undefined
  readonly type: RequestType
  readonly body: string
  readonly event_type?: string
  readonly txn_id?: string
}): KeyRequest[] => {
  const kind = kinds.get(request.type)
  if (!kind) return []
  const { id, body, event_type: eventType, txn_id: transactionId } = request
  return [
    {
      id,
      kind,
      body,
      ...(eventType === undefined ? {} : { eventType }),
      ...(transactionId === undefined ? {} : { transactionId }),
    },
  ]
}
