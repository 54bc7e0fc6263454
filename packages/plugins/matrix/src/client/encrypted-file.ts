import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** Key of an encrypted file (Matrix v1.11, "Sending encrypted attachments"). */
export interface FileKey {
  /** 32 bytes, as base64url. */
  readonly key: string
  /** 16 bytes, as base64. */
  readonly iv: string
  /** Of the encrypted content, as base64. */
  readonly sha256: string
}

const base64 = z.string().regex(/^[A-Za-z0-9+/_-]+={0,2}$/)
const bytes = (text: string): Buffer => Buffer.from(text, 'base64')

const encryptedFile = z.object({
  url: z.string().max(600),
  key: z.object({ alg: z.literal('A256CTR'), k: base64.max(100).refine(text => bytes(text).length === 32) }),
  iv: base64.max(100).refine(text => bytes(text).length === 16),
  hashes: z.object({ sha256: base64.max(100).refine(text => bytes(text).length === 32) }),
})

/** Reads the `file` of an encrypted attachment; undefined if it is invalid. */
export const readEncryptedFile = (given: unknown): { readonly url: string; readonly fileKey: FileKey } | undefined => {
  const { data } = encryptedFile.safeParse(given)
  return data && { url: data.url, fileKey: { key: data.key.k, iv: data.iv, sha256: data.hashes.sha256 } }
}

/** Decrypts a file; undefined if its content is not the one that the sender encrypted. */
export const decryptFile = (content: Uint8Array, { key, iv, sha256 }: FileKey): Uint8Array | undefined => {
  const actual = createHash('sha256').update(content).digest()
  if (!timingSafeEqual(actual, bytes(sha256))) return undefined
  const decipher = createDecipheriv('aes-256-ctr', bytes(key), bytes(iv))
  return Buffer.concat([decipher.update(content), decipher.final()])
}
