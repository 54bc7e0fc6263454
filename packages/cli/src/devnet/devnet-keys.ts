import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMnemonic, parseMnemonic } from '@sibyl/identity'
import { parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import type { CommandError } from '../errors/command-error.ts'
import { makePrivate } from '../home/home-folder.ts'
import { replaceFile } from '../home/through-draft.ts'
import { withFileLock } from '../home/with-file-lock.ts'

const keysFile = z.strictObject({
  mnemonic: z.string().max(500),
  apiKey: z.string().regex(/^[\w-]{16,500}$/),
  apiKeyShown: z.boolean(),
  port: z.int().min(1).max(65_535),
})

/** The secrets of a devnet, in `devnet.json` (mode 0600). */
export type DevnetKeys = Readonly<z.infer<typeof keysFile>>

/** The default port of a devnet. */
export const usualPort = 4100

interface OpenedKeys {
  readonly keys: DevnetKeys
  readonly notice?: string
}

export const keysPath = (folder: string): string => join(folder, 'devnet.json')

/** Creates keys without writing them. */
export const makeKeys = (port: number): DevnetKeys => ({
  mnemonic: createMnemonic(24).reveal(),
  ...newApiKey(),
  port,
})

/** Returns an API key that was not shown yet. */
export const newApiKey = (): Pick<DevnetKeys, 'apiKey' | 'apiKeyShown'> => ({
  apiKey: `devnet_${randomBytes(24).toString('base64url')}`,
  apiKeyShown: false,
})

/**
 * Reads the keys of a devnet; undefined if it has none yet. The mode of a file that others could read is fixed.
 *
 * @throws `configuration_invalid` when the file is damaged or cannot be read
 */
export const readKeys = async (folder: string): Promise<OpenedKeys | undefined> => {
  const path = keysPath(folder)
  const text = await readFile(path, 'utf8').catch(cause => {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw unusable(path, cause)
  })
  if (text === undefined) return undefined
  const keys = keysFile.safeParse(parseJson(text))
  if (!keys.success || !(await parseMnemonic(keys.data.mnemonic)).ok) {
    const remedy =
      'Restore the file, or move it away: the next start creates new keys, and existing entities stay unchanged.'
    throw cliErrors.configuration_invalid(`The keys of this devnet, ${path}, are damaged.`, remedy)
  }
  return { keys: keys.data, ...(await fix(path)) }
}

/**
 * Returns the keys of a devnet, or creates them. Throws `configuration_invalid` like `readKeys` and `writeKeys`.
 *
 * @param port The port of a new devnet.
 */
export const openKeys = (folder: string, port: number): Promise<OpenedKeys & { readonly isNew: boolean }> =>
  withFileLock(keysPath(folder), async () => {
    const kept = await readKeys(folder)
    if (kept) return { ...kept, isNew: false }
    const keys = makeKeys(port)
    await writeKeys(folder, keys)
    return { keys, isNew: true }
  })

/** Writes the keys atomically. Throws `configuration_invalid` when they cannot be written. */
export const writeKeys = async (folder: string, keys: DevnetKeys): Promise<void> => {
  const path = keysPath(folder)
  await replaceFile(path, `${JSON.stringify(keys, null, 2)}\n`).catch(cause => {
    throw unusable(path, cause)
  })
}

const unusable = (path: string, cause: unknown): CommandError => {
  const message = `The keys of this devnet, ${path}, cannot be read or written (${codeOf(cause) ?? 'unknown'}).`
  return cliErrors.configuration_invalid(message, 'Check the owner of the file, or pass another folder with --data.', {
    cause,
  })
}

const fix = async (path: string): Promise<{ notice?: string }> => {
  const fixed = await makePrivate(path)
  return fixed === undefined ? {} : { notice: `${fixed} If others use this computer, create a new API key: --new-key.` }
}
