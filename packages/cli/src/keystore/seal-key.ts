import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { type Mnemonic, parseMnemonic } from '@sibyl/identity'
import type { KeyFile, KeyHeader } from './key-file.ts'

/**
 * Encrypts the mnemonic of a key under a passphrase.
 *
 * @param N The cost of a guess. @default 2^17: 128 MiB and some tenths of a second
 */
export const sealKey = async (
  header: KeyHeader,
  words: Mnemonic,
  passphrase: string,
  N: KeyFile['kdf']['N'] = 2 ** 17,
): Promise<KeyFile> => {
  const kdf = { name: 'scrypt', N, r: 8, p: 1, salt: randomBytes(16).toString('base64url') } as const
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, kdf), iv)
  cipher.setAAD(authenticated(header, kdf))
  const ciphertext = Buffer.concat([cipher.update(words.reveal(), 'utf8'), cipher.final()])
  return {
    ...header,
    kdf,
    cipher: { name: 'aes-256-gcm', iv: iv.toString('base64url'), tag: cipher.getAuthTag().toString('base64url') },
    ciphertext: ciphertext.toString('base64url'),
  }
}

/** Returns the mnemonic of a key; undefined if the passphrase is wrong, or the file was changed. */
export const openSealedKey = async (file: KeyFile, passphrase: string): Promise<Mnemonic | undefined> => {
  const [iv, tag, ciphertext] = [file.cipher.iv, file.cipher.tag, file.ciphertext].map(it =>
    Buffer.from(it, 'base64url'),
  )
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(passphrase, file.kdf), iv!, { authTagLength: 16 })
  decipher.setAAD(authenticated(file, file.kdf)).setAuthTag(tag!)
  try {
    const words = Buffer.concat([decipher.update(ciphertext!), decipher.final()]).toString('utf8')
    const parsed = parseMnemonic(words)
    return parsed.ok ? parsed.mnemonic : undefined
  } catch {
    return undefined
  }
}

const deriveKey = (passphrase: string, { N, r, p, salt }: KeyFile['kdf']): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same characters may have different bytes from another keyboard.
    const text = passphrase.normalize('NFKC')
    scrypt(text, Buffer.from(salt, 'base64url'), 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

const authenticated = (header: KeyHeader, { name, N, r, p, salt }: KeyFile['kdf']): Buffer => {
  const { version, name: keyName, did, createdAt, retiredAt = null } = header
  return Buffer.from(JSON.stringify([version, keyName, did, createdAt, retiredAt, name, N, r, p, salt]))
}
