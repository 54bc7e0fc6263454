import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { readKeys, usualPort } from '../devnet/devnet-keys.ts'
import { readRunningDevnet } from '../devnet/running-devnet.ts'
import { cliErrors } from '../errors/cli-errors.ts'
import { homeFolder } from '../home/home-folder.ts'
import type { CommandIo } from '../process/command-io.ts'
import { discoverOracle } from './discover-oracle.ts'
import { devnetTitle, type RegistryNode, type RegistryOptions } from './registry-node.ts'

/** The devnet of this computer, as it is reached now. */
interface ReachedDevnet {
  readonly url: string
  readonly did: string
  /** Stops it, if it was started here. */
  readonly end?: () => Promise<void>
}

/** The path of the public description of an oracle, which is not authenticated. */
const discoveryPath = '/.well-known/oracle.json'
/** Timeout for another devnet to open or release its data, in milliseconds. */
const patienceMs = 20_000
const betweenTriesMs = 100

/**
 * Opens the devnet of this computer: a running one, or one that is started here and stops with `close`. If another
 * command started and stopped it, the next request starts it again.
 *
 * @throws `devnet_not_started`, `configuration_invalid`
 */
export const openDevnetNode = async (io: CommandIo, options: RegistryOptions): Promise<RegistryNode> => {
  const folder = join(homeFolder(io.env), 'devnet')
  const reach = () => reachDevnet(folder, io, options)
  let reached = await reach()
  let reaching: Promise<void> | undefined
  let ending: Promise<void> | undefined
  const reachAgain = () => {
    reaching ??= reach()
      .then(again => {
        reached = again
      })
      .finally(() => {
        reaching = undefined
      })
    return reaching
  }
  return {
    network: 'devnet',
    title: devnetTitle,
    url: reached.url,
    did: reached.did,
    access: 'open',
    startedHere: reached.end !== undefined,
    async fetch(input, init) {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      const reply = await fetch(new URL(pathname + search, reached.url), init).catch(error => {
        if (!isRefused(error)) throw error
      })
      if (reply?.ok && pathname !== discoveryPath) return reply
      if (reply && (await isReachable(reached))) return reply
      await reply?.body?.cancel()
      await reachAgain()
      return fetch(new URL(pathname + search, reached.url), init)
    },
    close() {
      ending ??= reached.end?.() ?? Promise.resolve()
      return ending
    },
  }
}

/**
 * Returns whether a local address has the port of the first start of the devnet, which may now listen on another one.
 */
export const isFirstDevnetAddress = async (url: string, { env }: Pick<CommandIo, 'env'>): Promise<boolean> => {
  const { hostname, port } = new URL(url)
  if (!/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)) return false
  const kept = await readKeys(join(homeFolder(env), 'devnet'))
  return kept !== undefined && port === String(kept.keys.port)
}

/** Returns the address of the devnet of this computer; undefined if it does not run. Starts none. */
export const findDevnet = async ({ env }: Pick<CommandIo, 'env'>): Promise<string | undefined> =>
  (await findRunning(join(homeFolder(env), 'devnet')))?.url

/** Returns whether the devnet still responds there. Only the devnet accepts requests signed for it. */
const isReachable = async ({ url, did, end }: ReachedDevnet): Promise<boolean> => {
  if (end) return true
  const found = await discoverOracle(url, { timeLimitMs: 3_000 })
  return found.kind === 'oracle' && found.record.did === did
}

/** Returns whether the connection of a request was refused. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ECONNREFUSED'

/** Uses a running devnet, or starts one; waits while another one opens or releases the data. */
const reachDevnet = async (folder: string, io: CommandIo, { report }: RegistryOptions): Promise<ReachedDevnet> => {
  const until = io.now() + patienceMs
  for (let tries = 0; ; tries += 1) {
    const running = await findRunning(folder)
    if (running) return running
    if (tries === 0) report?.('Starting a devnet on this computer …')
    try {
      return await start(folder, io)
    } catch (error) {
      const mayPass = cliErrors.devnet_not_started.is(error) && error.reason === 'data_in_use'
      if (!mayPass || io.now() > until) throw error
    }
    await pause(betweenTriesMs)
  }
}

/** Returns the running devnet of this folder, which its DID distinguishes from other programs. */
const findRunning = async (folder: string): Promise<ReachedDevnet | undefined> => {
  const url = await readRunningDevnet(folder)
  const kept = url === undefined ? undefined : await readKeys(folder)
  const words = kept && parseMnemonic(kept.keys.mnemonic)
  if (url === undefined || !words?.ok) return undefined
  const { did } = await signingKeyFromMnemonic(words.mnemonic)
  return (await isReachable({ url, did })) ? { url, did } : undefined
}

/** Starts it at its previous port, or at another one if that is in use. */
const start = async (folder: string, io: CommandIo): Promise<ReachedDevnet> => {
  const { startDevnet } = await import('../devnet/start-devnet.ts')
  const { bufferedLog } = await import('../devnet/buffered-log.ts')
  const { atFreePort } = await import('../devnet/at-free-port.ts')
  const first = (await readKeys(folder))?.keys.port ?? usualPort
  const startAt = async (port: number): Promise<ReachedDevnet> => {
    const log = bufferedLog(io.stderr)
    const { url, did, close } = await startDevnet({ folder, port, logger: log.logger })
    log.release()
    return { url, did, end: close }
  }
  const beside = [100, 200, 300].map(more => first + more).filter(port => port <= 65_535)
  for (const port of [first, ...beside]) {
    try {
      return await startAt(port)
    } catch (error) {
      if (!(cliErrors.devnet_not_started.is(error) && error.reason === 'port_taken')) throw error
    }
  }
  return atFreePort(startAt)
}
