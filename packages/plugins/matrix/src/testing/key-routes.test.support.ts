import { type HomeserverRoute, type RouteRequest, route } from './homeserver-route.test.support.ts'
import { countsOf, type HomeserverState, type KeyStore, keysOf } from './homeserver-state.test.support.ts'
import { MatrixRefusal } from './matrix-event.test.support.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** The keys of a user's device. */
const deviceKeysOf = (state: HomeserverState, userId: string, deviceId: string): KeyStore =>
  keysOf(state.data, userId, deviceId)

/** Keeps the keys of a device; a one-time key with the same id must be the same. */
const upload = ({ state, login, body }: RouteRequest) => {
  const keys = deviceKeysOf(state, login.userId, login.deviceId)
  for (const [id, key] of Object.entries((body.one_time_keys ?? {}) as Json)) {
    const before = keys.oneTime.get(id)
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(key)) {
      throw new MatrixRefusal(400, 'M_UNKNOWN', `One time key ${id} already exists`)
    }
    keys.oneTime.set(id, key)
  }
  for (const [id, key] of Object.entries((body.fallback_keys ?? {}) as Json)) keys.fallback.set(id, key)
  if (isObject(body.device_keys) && JSON.stringify(keys.device) !== JSON.stringify(body.device_keys)) {
    keys.device = body.device_keys
    state.deviceChanged(login.userId)
  }
  state.change()
  return { one_time_key_counts: countsOf(keys) }
}

const query = ({ state, body }: RouteRequest) => {
  const device_keys: Record<string, Record<string, unknown>> = {}
  const crossSigning: Record<string, Record<string, unknown>> = {
    master_keys: {},
    self_signing_keys: {},
    user_signing_keys: {},
  }
  for (const [userId, wanted] of Object.entries((body.device_keys ?? {}) as Record<string, string[]>)) {
    const own = [...(state.data.keys.get(userId) ?? [])].filter(
      ([deviceId, { device }]) => device && (wanted.length === 0 || wanted.includes(deviceId)),
    )
    device_keys[userId] = Object.fromEntries(own.map(([deviceId, { device }]) => [deviceId, device]))
    for (const [kind, key] of Object.entries(state.data.crossSigning.get(userId) ?? {})) {
      const kinds = crossSigning[`${kind}s`]
      if (kinds) kinds[userId] = key
    }
  }
  return { device_keys, failures: {}, ...crossSigning }
}

/** Gives out a one-time key of each wanted device, once; else its fallback key. */
const claim = ({ state, body }: RouteRequest) => {
  const one_time_keys: Record<string, Record<string, unknown>> = {}
  for (const [userId, devices] of Object.entries((body.one_time_keys ?? {}) as Record<string, Json>)) {
    for (const [deviceId, algorithm] of Object.entries(devices)) {
      const keys = state.data.keys.get(userId)?.get(deviceId)
      const fits = ([id]: [string, unknown]) => id.startsWith(`${String(algorithm)}:`)
      const found = [...(keys?.oneTime ?? [])].find(fits) ?? [...(keys?.fallback ?? [])].find(fits)
      if (!keys || !found) continue
      keys.oneTime.delete(found[0])
      one_time_keys[userId] = { ...one_time_keys[userId], [deviceId]: { [found[0]]: found[1] } }
      state.change()
    }
  }
  return { one_time_keys, failures: {} }
}

/** Puts messages before devices; the same transaction of a device once. */
const sendToDevice = ({ state, login, params, body }: RouteRequest) => {
  const { type = '', txnId = '' } = params
  const key = ['to-device', login.userId, login.deviceId, type, txnId].join('|')
  if (state.data.transactions.has(key)) return {}
  state.data.transactions.set(key, '')
  for (const [userId, devices] of Object.entries((body.messages ?? {}) as Record<string, Json>)) {
    for (const [deviceId, content] of Object.entries(devices)) {
      const known = [...(state.data.keys.get(userId)?.keys() ?? [])]
      for (const each of deviceId === '*' ? known : [deviceId]) {
        deviceKeysOf(state, userId, each).inbox.push({
          seq: state.change(),
          event: { type, sender: login.userId, content },
        })
      }
    }
  }
  return {}
}

/** Keeps the keys with which a user signs devices, given the password of the user. */
const uploadSigningKeys = ({ state, login, body }: RouteRequest) => {
  const { auth, ...keys } = body
  const password = isObject(auth) ? auth.password : undefined
  if (password !== state.data.accounts.get(login.userId)?.password) {
    const flows = [{ stages: ['m.login.password'] }]
    throw new MatrixRefusal(401, undefined, 'Password needed', { flows, params: {}, session: 'signing' })
  }
  state.data.crossSigning.set(login.userId, keys)
  state.deviceChanged(login.userId)
  return {}
}

/** Adds signatures to device keys and cross-signing keys. */
const uploadSignatures = ({ state, body }: RouteRequest) => {
  for (const [userId, signed] of Object.entries(body as Record<string, Record<string, Json>>)) {
    for (const [id, object] of Object.entries(signed)) {
      const keys = state.data.keys.get(userId)?.get(id)
      if (keys?.device) keys.device = { ...keys.device, signatures: merged(keys.device.signatures, object.signatures) }
    }
    state.deviceChanged(userId)
  }
  return { failures: {} }
}

const merged = (one: unknown, other: unknown) => {
  const result: Record<string, unknown> = { ...(one as Json) }
  for (const [userId, signatures] of Object.entries((other ?? {}) as Json)) {
    result[userId] = { ...(result[userId] as Json), ...(signatures as Json) }
  }
  return result
}

const notThere = (): never => {
  throw new MatrixRefusal(404, 'M_NOT_FOUND', 'No backup')
}

/** Keys of devices, and messages to them. */
export const keyRoutes = (): readonly HomeserverRoute[] => [
  route('POST', 'keys/upload', 'keys_upload', upload),
  route('POST', 'keys/query', 'keys_query', query),
  route('POST', 'keys/claim', 'keys_claim', claim),
  route('POST', 'keys/device_signing/upload', 'signing_keys', uploadSigningKeys),
  route('POST', 'keys/signatures/upload', 'signatures', uploadSignatures),
  route('PUT', 'sendToDevice/:type/:txnId', 'send_to_device', sendToDevice),
  route('GET', 'room_keys/version', 'backup', notThere),
]
