import type { Logger } from '@sibyl/plugin'
import { openHomeFolder } from '../home/home-folder.ts'
import { bootDevnet, serveDevnet } from './boot-devnet.ts'
import { type DevnetKeys, makeKeys, newApiKey, readKeys, usualPort, writeKeys } from './devnet-keys.ts'
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
 * Its keys are written once its database is open and it listens, so that of two that start at once one makes them, and
 * its DIDs name a port that it had.
 *
 * @throws `devnet_not_started`, `configuration_invalid`
 */
export const startDevnet = async ({ folder, newKey, logger, ...start }: DevnetStart): Promise<StartedDevnet> => {
  await openHomeFolder(folder, 'Name a folder that you may write to with --data.')
  const kept = await readKeys(folder)
  const port = start.port ?? kept?.keys.port ?? usualPort
  const keys = { ...(kept?.keys ?? makeKeys(port)), ...(newKey ? newApiKey() : {}) }
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
      mended: kept?.mended,
      async close() {
        await dropRunningDevnet(folder)
        await oracle.close()
      },
    }
  } catch (error) {
    await oracle.close()
    throw error
  }
}
