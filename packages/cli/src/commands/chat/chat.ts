import { randomUUID } from 'node:crypto'
import { createClient } from '@sibyl/client'
import type { CommandIo } from '../../command-io.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { KnownOracles } from '../../home/known-oracles.ts'
import { Screen } from '../../output/screen.ts'
import { isTerminal, stylesFor } from '../../output/styles.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatView } from './chat-view.ts'
import { Interruption } from './interruption.ts'
import { JsonChatView } from './json-chat-view.ts'
import { parseOracleUrl } from './oracle-url.ts'
import { talkByScript } from './talk-by-script.ts'
import { talkInteractively } from './talk-interactively.ts'
import { TextChatView } from './text-chat-view.ts'

const defaultUrl = 'http://localhost:3000'

/**
 * Runs `sibyl chat`: interactively on a terminal, else by script.
 *
 * @throws CommandError, and what the client throws
 */
export const chat = async (options: ChatOptions, io: CommandIo): Promise<ExitCode> => {
  const url = urlOf(options, io.env)
  const { key, path, made, mended } = await openDeveloperKey(homeFolder(io.env))
  const view = viewFor(options, io)
  if (made) io.stderr.write(`Made your key in ${path}: you are ${key.did}\n`)
  if (mended !== undefined) io.stderr.write(`${mended}\n`)

  const knownOracles = new KnownOracles(homeFolder(io.env))
  const expectedDid = options.trust ? undefined : await knownOracles.find(url)
  const client = createClient({ url, signer: key, ...(expectedDid === undefined ? {} : { expectedDid }) })
  const oracle = await client.oracle()
  if (expectedDid === undefined) await knownOracles.remember(url, oracle.did ?? oracle.publicDid)

  const sessionId = options.session ?? randomUUID()
  const interruption = new Interruption()
  interruption.whenStopping(() => view.stopping())
  const left = Promise.withResolvers<ExitCode>()
  interruption.whenIdle(() => left.resolve(exitCode.interrupted))
  const release = io.onInterrupt(() => interruption.press())
  try {
    const talk = { client, oracle, sessionId, view, interruption, options, io, did: key.did }
    const talking = isInteractive(options, io) ? talkInteractively(talk) : talkByScript(talk)
    return await Promise.race([talking, left.promise])
  } finally {
    release()
  }
}

const isInteractive = (options: ChatOptions, { stdin, stdout, env }: CommandIo): boolean =>
  options.once === undefined && !options.json && stdin.isTTY === true && isTerminal(stdout, env)

const viewFor = (options: ChatOptions, { stdout, stderr, env, now }: CommandIo): ChatView => {
  if (options.json) return new JsonChatView(stdout, stderr)
  return new TextChatView(new Screen(stdout, isTerminal(stdout, env)), stylesFor(stdout, env), now)
}

/** What does not parse may hold a password: it is not repeated. */
const urlOf = ({ url }: ChatOptions, { SIBYL_URL }: CommandIo['env']): string => {
  const parsed = parseOracleUrl(url ?? (SIBYL_URL || defaultUrl))
  if (parsed) return parsed
  const remedy = 'Give one such as http://localhost:3000, without a password.'
  if (url !== undefined) throw new UsageError('--url is not the address of an oracle.', remedy)
  throw new ConfigurationError('SIBYL_URL is not the address of an oracle.', remedy)
}
