import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { HostIdentity } from '@sibyl/plugin'

/** Credentials that a receiver of push notifications expects in the header. */
export interface PushSecret {
  readonly token?: string
  readonly authorization?: string
}

/** Encrypts what receivers expect, under a key that is derived from the oracle's and is not stored. */
export interface PushSecrets {
  /** @param place The row, so that a value of one does not open in another. */
  seal(secret: PushSecret, place: string): Promise<string | null>
  /** Returns undefined where the oracle has another key now. */
  open(sealed: string | null, place: string): Promise<PushSecret | undefined>
}

const nonceBytes = 12
const tagBytes = 16

/** Creates the encryption. Ed25519 signatures are deterministic, and only the oracle can create the one behind the key. */
export const createPushSecrets = ({ sign }: Pick<HostIdentity, 'sign'>): PushSecrets => {
  const key = async () =>
    createHash('sha256')
      .update(await sign(new TextEncoder().encode('sibyl: the key of receivers of A2A push notifications')))
      .digest()
  return {
    async seal(secret, place) {
      if (secret.token === undefined && secret.authorization === undefined) return null
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', await key(), nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(JSON.stringify(secret)), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    async open(sealed, place) {
      if (sealed === null) return {}
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', await key(), bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
        return JSON.parse(plain.toString()) as PushSecret
      } catch {
        return undefined
      }
    },
  }
}
