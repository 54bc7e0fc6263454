import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningKey, type SigningKey, signingKeyFromSecret } from '@sibyl/identity'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { ignoreMissing } from '../errors/code-of.ts'
import { makePrivate, openHomeFolder } from './home-folder.ts'
import { writeNewFile } from './through-draft.ts'

export interface DeveloperKey {
  readonly key: SigningKey
  readonly path: string
  readonly made: boolean
  readonly notice?: string
}

const base64urlOf32Bytes = z.string().regex(/^[\w-]{43}$/)

/** An Ed25519 key as a JSON Web Key (RFC 8037); `kid` is its DID. */
const keyFile = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string(),
  x: base64urlOf32Bytes,
  d: base64urlOf32Bytes,
})

/**
 * Reads the key of the developer, and creates it at the first use: `key.json`, mode 0600, as a JSON Web Key. Two
 * concurrent first uses agree on one key. The mode of a file that others could read is fixed.
 *
 * @throws `configuration_invalid` when the file or folder is not usable
 */
export const openDeveloperKey = async (folder: string): Promise<DeveloperKey> => {
  await openHomeFolder(folder)
  const path = join(folder, 'key.json')
  try {
    const text = await readFile(path, 'utf8').catch(ignoreMissing)
    if (text !== undefined) return { key: parseKey(text, path), path, made: false, ...(await fix(path)) }
    const key = createSigningKey()
    const made = await writeNewFile(path, serializeKey(key))
    return { key: made ? key : parseKey(await readFile(path, 'utf8'), path), path, made }
  } catch (cause) {
    if (cliErrors.configuration_invalid.is(cause)) throw cause
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    const remedy = 'Check the owner of the file, or set SIBYL_HOME to another folder.'
    throw cliErrors.configuration_invalid(`Your key ${path} cannot be read or written${reason}.`, remedy, { cause })
  }
}

const serializeKey = (key: SigningKey): string => {
  const x = Buffer.from(key.publicKey).toString('base64url')
  const d = Buffer.from(key.exportSecret()).toString('base64url')
  return `${JSON.stringify({ kty: 'OKP', crv: 'Ed25519', kid: key.did, x, d }, null, 2)}\n`
}

const parseKey = (text: string, path: string): SigningKey => {
  const jwk = keyFile.safeParse(parseJson(text))
  const key = jwk.success ? signingKeyFromSecret(Buffer.from(jwk.data.d, 'base64url')) : undefined
  if (key && key.did === jwk.data?.kid && Buffer.from(key.publicKey).toString('base64url') === jwk.data.x) return key
  const remedy = 'Restore the file, or move it away: the next command creates a new key, and with it a new identity.'
  throw cliErrors.configuration_invalid(`Your key ${path} is damaged.`, remedy)
}

const fix = async (path: string): Promise<{ notice?: string }> => {
  const fixed = await makePrivate(path, `your key ${path}`)
  if (fixed === undefined) return {}
  return { notice: `${fixed} If others use this computer, move it away to get a new one.` }
}
