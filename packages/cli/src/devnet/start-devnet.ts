import { rm } from 'node:fs/promises'
import type { Logger } from '@sibyl/plugin'
import { openHomeFolder } from '../home/home-folder.ts'
import { bootDevnet, serveDevnet } from './boot-devnet.ts'
import { type DevnetKeys, keysPath, newApiKey, openKeys, usualPort, writeKeys } from './devnet-keys.ts'
import { dropRunningDevnet, noteRunningDevnet } from './running-devnet.ts'

interface DevnetStart {
  /** The folder of its data and keys; made where it is not there. */
  readonly folder: string
  /** Where to listen. @default that of the first start, 4100 */
  readonly port?: number
  /** Make an API key in the place of the one before. */
  readonly newKey?: boolean
  /** Takes the log; the oracle's own log on standard output where there is none. */
  readonly logger?: Logger
}

/** A devnet that answers, in this process. */
export interface StartedDevnet {
  readonly url: string
  /** The did:key that it signs with, and that tokens for it are addressed to. */
  readonly did: string
  readonly publicDid: string
  readonly keys: DevnetKeys
  readonly mended: string | undefined
  /** Stores everything and lets go of the data. */
  close(): Promise<void>
}

/**
 * Starts a devnet, or goes on with the one of this folder.
 *
 * Of several first starts at once, one makes the keys, before it opens the database. They are removed where it cannot
 * listen, while it still has the database, so that its DIDs name a port that it had.
 *
 * @throws `devnet_not_started`, `configuration_invalid`
 */
export const startDevnet = async ({ folder, newKey, logger, ...start }: DevnetStart): Promise<StartedDevnet> => {
  await openHomeFolder(folder, 'Pass a writable folder with --data.')
  const { keys: kept, mended, isNew } = await openKeys(folder, start.port ?? usualPort)
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
      mended,
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
