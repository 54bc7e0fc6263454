import { join, resolve } from 'node:path'
import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { homeFolder, openHomeFolder } from '../../home/home-folder.ts'
import { stylesFor } from '../../output/styles.ts'
import { bootDevnet, serveDevnet } from './boot-devnet.ts'
import { devnetBanner, shellWord } from './devnet-banner.ts'
import { type DevnetKeys, keysPath, makeKeys, newApiKey, readKeys, writeKeys } from './devnet-keys.ts'
import type { DevnetOptions } from './devnet-options.ts'
import { type EndRequests, endRequests } from './end-requests.ts'
import { freePort } from './free-port.ts'
import { heldLog } from './held-log.ts'

const usualPort = 4100

/**
 * Runs `sibyl devnet`: an oracle that keeps entities, claims and credentials on this computer, until Ctrl-C.
 *
 * Its keys are written once its database is open and it listens, so that of two that start at once one makes them, and its
 * DIDs name a port that it had; a key counts as shown once it stands on the screen.
 *
 * @throws CommandError, when something on this computer keeps it from starting
 */
export const devnet = async (options: DevnetOptions, io: CommandIo): Promise<ExitCode> => {
  const folder = resolve(options.data ?? join(homeFolder(io.env), 'devnet'))
  await openHomeFolder(folder, 'Name a folder that you may write to with --data.')
  const kept = await readKeys(folder)
  if (kept?.mended !== undefined) io.stderr.write(`${kept.mended}\n`)
  const port = await portOf(options, kept?.keys)
  const keys = { ...(kept?.keys ?? makeKeys(port)), ...(options.newKey ? newApiKey() : {}) }
  const log = options.verbose ? undefined : heldLog(io.stderr)
  const oracle = await bootDevnet({ folder, keys, port, ...(log ? { logger: log.logger } : {}) })
  const requests = endRequests(io)
  try {
    log?.release()
    const url = await serveDevnet(oracle, port)
    if (!keys.apiKeyShown) await writeKeys(folder, keys)
    const { publicDid, did = '' } = oracle.identity
    const apiKey = keys.apiKeyShown ? undefined : keys.apiKey
    const namedPort = port === keys.port ? undefined : keys.port
    const command = options.data === undefined ? 'sibyl devnet' : `sibyl devnet --data ${shellWord(options.data)}`
    const facts = { url, publicDid, did, folder, keysPath: keysPath(folder), apiKey, namedPort, command }
    io.stdout.write(`${devnetBanner(facts, stylesFor(io.stdout, io.env)).join('\n')}\n`)
    if (apiKey !== undefined) await writeKeys(folder, { ...keys, apiKeyShown: true })
  } catch (error) {
    requests.release()
    await oracle.close()
    throw error
  }
  return closeWhenAsked(requests, () => oracle.close()).finally(() => requests.release())
}

const portOf = async ({ port }: DevnetOptions, keys: DevnetKeys | undefined): Promise<number> =>
  port === 0 ? freePort() : (port ?? keys?.port ?? usualPort)

/** Waits for a signal, and closes; a second one does not wait for the end. */
const closeWhenAsked = async (requests: EndRequests, close: () => Promise<void>): Promise<ExitCode> => {
  await requests.first
  return Promise.race([close().then(() => exitCode.done), requests.second.then(() => exitCode.interrupted)])
}
