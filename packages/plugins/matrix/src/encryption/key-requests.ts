import { z } from 'zod'
import type { MatrixCall } from '../client/matrix-http.ts'
import type { DeviceKeys, KeyRequest } from './thread/crypto-messages.ts'

type KeyCall = Pick<MatrixCall, 'method' | 'path' | 'body'>

const paths = {
  upload: '/v3/keys/upload',
  query: '/v3/keys/query',
  claim: '/v3/keys/claim',
  signatures: '/v3/keys/signatures/upload',
} as const

/** Returns the call of the client-server API for a request of the library. */
export const keyCall = ({ kind, body, eventType = '', transactionId = '' }: KeyRequest): KeyCall => {
  const content: unknown = JSON.parse(body)
  if (kind !== 'to-device') return { method: 'POST', path: paths[kind], body: content }
  const path = `/v3/sendToDevice/${encodeURIComponent(eventType)}/${encodeURIComponent(transactionId)}`
  return { method: 'PUT', path, body: content }
}

/** Returns the call for the published keys of one device. */
export const deviceQuery = (userId: string, deviceId: string): KeyCall => ({
  method: 'POST',
  path: paths.query,
  body: { device_keys: { [userId]: [deviceId] } },
})

const queryAnswer = z.object({
  device_keys: z.record(z.string(), z.record(z.string(), z.object({ keys: z.record(z.string(), z.string()) }))),
})

/**
 * Reads the published keys of a device.
 *
 * @returns undefined if it has none, `invalid` for a response that is not from Matrix
 */
export const publishedKeys = (
  answer: unknown,
  userId: string,
  deviceId: string,
): DeviceKeys | undefined | 'invalid' => {
  const { data } = queryAnswer.safeParse(answer)
  if (!data) return 'invalid'
  const keys = data.device_keys[userId]?.[deviceId]?.keys
  if (!keys) return undefined
  return { ed25519: keys[`ed25519:${deviceId}`] ?? '', curve25519: keys[`curve25519:${deviceId}`] ?? '' }
}
