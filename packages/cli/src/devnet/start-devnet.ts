import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Logger } from '@sibyl/plugin'
import { codeOf } from '../errors/code-of.ts'
import { openHomeFolder } from '../home/home-folder.ts'
import { freePort } from './at-free-port.ts'
import { bootDevnet, portError, serveDevnet } from './boot-devnet.ts'
import { type DevnetKeys, keysPath, newApiKey, openKeys, usualPort, writeKeys } from './devnet-keys.ts'
import { dropRunningDevnet, noteRunningDevnet } from './running-devnet.ts'

interface DevnetStart {
  /** The folder of its data and keys; created if missing. */
  readonly folder: string
  /** The port. @default that of the first start, 4100 */
  readonly port?: number | undefined
  /** Creates an API key that replaces the previous one. */
  readonly newKey?: boolean
  /** The logger. @default the log of the oracle on standard output */
  readonly logger?: Logger
}

/** A running devnet in this process. */
export interface StartedDevnet {
  readonly url: string
  /** The did:key that it signs with, the audience of tokens. */
  readonly did: string
  readonly publicDid: string
  readonly keys: DevnetKeys
  readonly notice: string | undefined
  /** Stores everything and releases the data. */
  close(): Promise<void>
}

/**
 * Starts a devnet, or continues that of this folder.
 *
 * Of several concurrent first starts, one creates the keys before it opens the database. If it cannot listen, it
 * removes them while it still has the database, so that its DIDs contain a port that it used.
 *
 * @throws `devnet_not_started`, `configuration_invalid`
 */
export const startDevnet = async ({ folder, newKey, logger, ...start }: DevnetStart): Promise<StartedDevnet> => {
  await openHomeFolder(folder, 'Pass a writable folder with --data.')
  // A database of keys that are removed again would be that of another oracle.
  if (!existsSync(keysPath(folder))) await assertFree(start.port ?? usualPort)
  const { keys: kept, notice, isNew } = await openKeys(folder, start.port ?? usualPort)
  const port = start.port ?? kept.port
  const keys = { ...kept, ...(newKey ? newApiKey() : {}) }
  const oracle = await bootDevnet({ folder, keys, port, ...(logger ? { logger } : {}) })
  try {
    const url = await serveDevnet(oracle, port)
    if (!keys.apiKeyShown) await writeKeys(folder, keys)
    await noteRunningDevnet(folder, url)
    const { publicDid, did = '' } = oracle.identity
    return {
      url,
      did,
      publicDid,
      keys,
      notice,
      async close() {
        await dropRunningDevnet(folder)
        await oracle.close()
      },
    }
  } catch (error) {
    if (isNew) await rm(keysPath(folder), { force: true })
    await oracle.close()
    throw error
  }
}

const assertFree = (port: number): Promise<unknown> =>
  freePort(port).catch((cause: Error) => {
    throw portError(port, cause, codeOf(cause) === 'EADDRINUSE')
  })
