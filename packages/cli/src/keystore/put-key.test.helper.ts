import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMnemonic, type Mnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { sealKey } from './seal-key.ts'

/** A key that was put into a keystore. */
export interface PutKey {
  readonly name: string
  readonly did: string
  readonly words: Mnemonic
}

/** Puts a key into a keystore that opens faster than those that are made there. */
export const putKey = async (home: string, name: string, passphrase: string): Promise<PutKey> => {
  const words = createMnemonic(24)
  const { did } = await signingKeyFromMnemonic(words)
  const header = { version: 1, name, did, createdAt: '2026-11-21T20:00:00Z' } as const
  await mkdir(join(home, 'keys'), { recursive: true, mode: 0o700 })
  const text = JSON.stringify(await sealKey(header, words, passphrase, 2 ** 15))
  await writeFile(join(home, 'keys', `${name}.json`), text, { mode: 0o600 })
  return { name, did, words }
}
