import { join, resolve } from 'node:path'
import { atFreePort } from '../../devnet/at-free-port.ts'
import { bufferedLog } from '../../devnet/buffered-log.ts'
import { keysPath, writeKeys } from '../../devnet/devnet-keys.ts'
import { type StartedDevnet, startDevnet } from '../../devnet/start-devnet.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { writeJson } from '../../output/clean-text.ts'
import { shellWord } from '../../output/format.ts'
import { type Styles, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { DevnetOptions } from './devnet-command.ts'
import { type EndRequests, endRequests } from './end-requests.ts'

/**
 * Runs `sibyl devnet`: an oracle that stores entities, claims and credentials on this computer, until Ctrl-C. An API
 * key counts as shown once it was printed.
 */
export const devnet = async (options: DevnetOptions, io: CommandIo): Promise<ExitCode> => {
  const folder = resolve(io.cwd, options.data ?? join(homeFolder(io.env), 'devnet'))
  const log = options.verbose ? undefined : bufferedLog(io.stderr)
  const start = (port: number | undefined) =>
    startDevnet({
      folder,
      newKey: options.newKey === true,
      port,
      ...(log ? { logger: log.logger } : {}),
    })
  const started = await (options.port === 0 ? atFreePort(start) : start(options.port))
  const requests = endRequests(io)
  try {
    if (started.notice !== undefined) io.stderr.write(`${started.notice}\n`)
    log?.release()
    await show(started, folder, options, io)
  } catch (error) {
    requests.release()
    await started.close()
    throw error
  }
  return closeWhenAsked(requests, () => started.close()).finally(() => requests.release())
}

const show = async (
  started: StartedDevnet,
  folder: string,
  { data, json }: DevnetOptions,
  io: CommandIo,
): Promise<void> => {
  const { url, did, publicDid, keys } = started
  const apiKey = keys.apiKeyShown ? undefined : keys.apiKey
  const namedPort = Number(new URL(url).port) === keys.port ? undefined : keys.port
  const command = asCalled(data === undefined ? 'sibyl devnet' : `sibyl devnet --data ${shellWord(data)}`, io.env)
  const facts = { url, publicDid, did, folder, keysPath: keysPath(folder), apiKey, namedPort, command }
  if (json) writeJson(io, { url, publicDid, did, folder, keysPath: facts.keysPath, apiKey })
  else io.stdout.write(`${devnetBanner(facts, stylesFor(io.stdout, io.env)).join('\n')}\n`)
  if (apiKey !== undefined) await writeKeys(folder, { ...keys, apiKeyShown: true })
}

/** Waits for a signal, then closes; a second one exits immediately. */
const closeWhenAsked = async (requests: EndRequests, close: () => Promise<void>): Promise<ExitCode> => {
  await requests.first
  return Promise.race([close().then(() => exitCode.done), requests.second.then(() => exitCode.interrupted)])
}

interface DevnetFacts {
  readonly url: string
  readonly publicDid: string
  readonly did: string
  readonly folder: string
  readonly keysPath: string
  /** The API key, if it was not shown before. */
  readonly apiKey: string | undefined
  /** The port in its DIDs, if it listens on another one. */
  readonly namedPort: number | undefined
  readonly command: string
}

/** Returns the lines that describe a started devnet. */
const devnetBanner = (facts: DevnetFacts, { dim, bold, accent }: Styles): readonly string[] => {
  const { url, apiKey, keysPath, command } = facts
  const row = (name: string, value: string) => `  ${dim(name.padEnd(11))} ${value}`
  const aside = (text: string) => `  ${' '.repeat(11)} ${dim(text)}`
  return [
    `${bold('Sibyl devnet')}   ${accent(url)}   ${dim('Ctrl-C stops it')}`,
    '',
    row('DID', facts.publicDid),
    ...(facts.namedPort === undefined ? [] : [aside(`from its first start, on port ${facts.namedPort}`)]),
    row('signs as', facts.did),
    row('data', facts.folder),
    row('explorer', `${url}/explorer`),
    row('API', `${url}/docs`),
    ...(apiKey === undefined
      ? [row('API key', `in ${keysPath}`), aside(`for a new one: ${command} --new-key`)]
      : [row('API key', bold(apiKey)), aside(`shown only this time, and stored in ${keysPath}`)]),
    '',
    'To use it as a registry:',
    '',
    `  export REGISTRY_URL=${url}`,
    `  export REGISTRY_API_KEY=${apiKey ?? keyFrom(keysPath)}`,
    '  curl -H "Authorization: Bearer $REGISTRY_API_KEY" "$REGISTRY_URL/v1/entities"',
    '',
  ]
}

/** Returns a command that passes the key to the shell without showing it. */
const keyFrom = (path: string): string => `$(node -p ${shellWord(`require(${JSON.stringify(path)}).apiKey`)})`
