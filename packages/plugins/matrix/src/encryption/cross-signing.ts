import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import type { MatrixClient } from '../client/matrix-client.ts'
import { matrixErrors } from '../client/matrix-errors.ts'
import type { DerivedKeys } from './derived-keys.ts'
import { deviceQuery } from './key-requests.ts'

export interface CrossSigningDependencies {
  readonly client: Pick<MatrixClient, 'keys'>
  readonly userId: string
  readonly deviceId: string
  readonly password: string | undefined
  readonly keys: DerivedKeys['signing']
}

export type SignedDevice =
  /** The device is signed by its user. */
  | 'signed'
  /** The user has other keys, for example those of a client in which the operator signed in. */
  | 'other keys'
  /** The homeserver requires the password, and none is set. */
  | 'password needed'

const signatures = z.record(z.string(), z.record(z.string(), z.string()))
const answer = z.object({
  device_keys: z.record(z.string(), z.record(z.string(), z.looseObject({ signatures: signatures.optional() }))),
  master_keys: z.record(z.string(), z.object({ keys: z.record(z.string(), z.string()) })).optional(),
})

/**
 * Signs the bot's device with the keys of its user (Matrix v1.11, "Cross-signing"), so that clients do not warn about it, and
 * users verify the bot once for all its devices. Publishes these keys if the user has none.
 */
export const signDevice = async (
  { client, userId, deviceId, password, keys }: CrossSigningDependencies,
  signal: AbortSignal,
): Promise<SignedDevice> => {
  const [master, selfSigning, userSigning] = [
    signingKey(keys.master),
    signingKey(keys.selfSigning),
    signingKey(keys.userSigning),
  ]
  const read = answer.safeParse(await client.keys({ ...deviceQuery(userId, deviceId), signal }))
  if (!read.success) throw matrixErrors.matrix_unavailable({ what: 'returned a response that is not from Matrix' })
  const { device_keys, master_keys } = read.data
  const published = master_keys?.[userId]?.keys
  if (published && published[master.id] === undefined) return 'other keys'
  if (!published) {
    const upload = {
      master_key: publicKey(userId, 'master', master),
      self_signing_key: signed(publicKey(userId, 'self_signing', selfSigning), userId, master),
      user_signing_key: signed(publicKey(userId, 'user_signing', userSigning), userId, master),
    }
    if (!(await publish(upload, { client, userId, password }, signal))) return 'password needed'
  }
  const device = device_keys[userId]?.[deviceId]
  if (!device || device.signatures?.[userId]?.[selfSigning.id] !== undefined) return 'signed'
  const { signatures: _, unsigned: __, ...content } = device
  const body = { [userId]: { [deviceId]: signed(content, userId, selfSigning) } }
  await client.keys({ method: 'POST', path: '/v3/keys/signatures/upload', body, signal })
  return 'signed'
}

interface SigningKey {
  /** `ed25519:` and the public key. */
  readonly id: string
  readonly publicKey: string
  readonly key: KeyObject
}

/** Beginning of a private Ed25519 key in PKCS #8. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const signingKey = (seed: Uint8Array): SigningKey => {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = unpadded(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { id: `ed25519:${publicKey}`, publicKey, key }
}

const publicKey = (userId: string, usage: string, { id, publicKey: value }: SigningKey) => ({
  user_id: userId,
  usage: [usage],
  keys: { [id]: value },
})

const signed = <Content extends object>(content: Content, userId: string, { id, key }: SigningKey) => ({
  ...content,
  signatures: { [userId]: { [id]: unpadded(sign(null, Buffer.from(canonicalize(content) ?? ''), key)) } },
})

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** Publishes the keys, with the password if the homeserver requires it. @returns false without one */
const publish = async (
  body: object,
  { client, userId, password }: Pick<CrossSigningDependencies, 'client' | 'userId' | 'password'>,
  signal: AbortSignal,
): Promise<boolean> => {
  const call = { method: 'POST', path: '/v3/keys/device_signing/upload', signal } as const
  try {
    await client.keys({ ...call, body })
  } catch (error) {
    if (!matrixErrors.matrix_refused.is(error) || error.facts.answerStatus !== 401) throw error
    if (password === undefined) return false
    const identifier = { type: 'm.id.user', user: userId }
    const auth = { type: 'm.login.password', identifier, password, session: error.facts.session }
    await client.keys({ ...call, body: { ...body, auth } })
  }
  return true
}
