/** A record of the crypto store that changed. */
export interface RecordChange {
  /** Its database, object store and key, as JSON. */
  readonly place: string
  /** Null once it is deleted. */
  readonly value: Uint8Array | null
}

/** A stored record. */
export interface CryptoRecord {
  readonly place: string
  readonly value: Uint8Array
}

/** The device whose keys the thread holds. */
export interface OpenDevice {
  readonly userId: string
  readonly deviceId: string
  /** 32 bytes that encrypt the records. */
  readonly key: Uint8Array
  /** All stored records; none for a new device. */
  readonly records: readonly CryptoRecord[]
}

/** The parts of a sync that concern encryption. */
export interface KeySync {
  /** JSON of the events, in order. */
  readonly toDevice: string
  readonly changed: readonly string[]
  readonly left: readonly string[]
  /** Number of one-time keys at the homeserver, by algorithm. */
  readonly oneTimeKeys: Readonly<Record<string, number>>
  readonly unusedFallbackKeys: readonly string[] | undefined
  /** True if changes of device lists may be missing. */
  readonly isFirst: boolean
}

export interface SealedEvent {
  readonly roomId: string
  /** JSON of the complete event. */
  readonly event: string
}

/**
 * A decrypted event, as JSON. `missing`: its key, or the device that it is from, is unknown and may still arrive. `withheld`: the
 * sender does not share the key. `forged`: its device is not of its sender. `unreadable`: it is from before the bot was a member,
 * or invalid.
 */
export type OpenedEvent =
  | { readonly event: string }
  | { readonly fault: 'missing' | 'withheld' | 'forged' | 'unreadable' }

/** A request to the homeserver whose response the thread needs. */
export interface KeyRequest {
  /** Undefined for a request whose response is not needed. */
  readonly id: string | undefined
  readonly kind: 'upload' | 'query' | 'claim' | 'to-device' | 'signatures'
  /** JSON. */
  readonly body: string
  /** Of a to-device request. */
  readonly eventType?: string | undefined
  readonly transactionId?: string
}

/** The public identity keys of the device. */
export interface DeviceKeys {
  readonly ed25519: string
  readonly curve25519: string
}

/** Operations of the thread, with their arguments and results. */
export interface CryptoOperations {
  open(device: OpenDevice): DeviceKeys
  receive(sync: KeySync): void
  decrypt(events: readonly SealedEvent[]): readonly OpenedEvent[]
  /** Requests that are due, without those for a room. */
  requests(): readonly KeyRequest[]
  /** Processes the response of a request, as JSON. */
  answered(request: Pick<KeyRequest, 'id' | 'kind'>, response: string): void
  /** Follows the devices of users. */
  track(users: readonly string[]): void
  /** Request for keys of devices without a session. */
  missingSessions(users: readonly string[]): KeyRequest | undefined
  /** Requests that give the key of a room to its members' devices. */
  shareKey(roomId: string, users: readonly string[]): readonly KeyRequest[]
  /** Encrypts the content of an event. */
  encrypt(roomId: string, type: string, content: string): string
}

export type OperationName = keyof CryptoOperations

export interface CryptoCall {
  readonly id: number
  readonly name: OperationName
  readonly args: readonly unknown[]
}

/** A message of the thread: the result with the records that changed, or the reason of a failure. */
export type CryptoAnswer =
  | { readonly id: number; readonly result: unknown; readonly changes: readonly RecordChange[] }
  | { readonly id: number; readonly failure: string }
