import { mintInvocation } from '@sibyl/identity'
import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { type OpenedOracle, type OracleOptions, openOracle } from '../open-oracle.ts'

/** What `sibyl token` is called with. */
export interface TokenOptions extends OracleOptions {
  readonly ability?: readonly string[]
  /** Seconds. */
  readonly lifetime?: number
  readonly bearer?: boolean
}

const defaultAbilities = ['chat/*', 'session/*']

/** How long an invocation lives that nobody said it of, in seconds. */
const invocationLifetime = 300

/** A token, and what a person wants to know about it. */
interface MadeToken {
  readonly token: string
  readonly note: string
}

/**
 * Runs `sibyl token`: the token alone on standard output; a person at a terminal is told what it is good for.
 *
 * @throws CommandError, and what the client throws
 */
export const printToken = async (options: TokenOptions, io: CommandIo): Promise<ExitCode> => {
  const opened = await openOracle(options, io)
  const { token, note } = options.bearer ? await exchange(opened, options) : await mint(opened, options)
  io.stdout.write(`${token}\n`)
  if (io.stdout.isTTY) io.stderr.write(`${note}\n`)
  return exitCode.done
}

const mint = async ({ key, oracle }: OpenedOracle, options: TokenOptions): Promise<MadeToken> => {
  const { ability: abilities = defaultAbilities, lifetime: lifetimeSeconds = invocationLifetime } = options
  const audience = oracle.did ?? oracle.publicDid
  const token = await mintInvocation({ key, audience, resource: `oracle:${audience}`, abilities, lifetimeSeconds })
  const note = `Good for ${lifetimeSeconds} s and one request, which GET may repeat: ${abilities.join(' ')} at ${cleanLine(oracle.name)}.`
  return { token, note }
}

const exchange = async ({ client, oracle }: OpenedOracle, options: TokenOptions): Promise<MadeToken> => {
  const { ability: scopes = defaultAbilities, lifetime: lifetimeSeconds } = options
  const bearer = await client.bearers.exchange({
    scopes: [...scopes],
    ...(lifetimeSeconds === undefined ? {} : { lifetimeSeconds }),
  })
  const granted = cleanLine(bearer.scopes.join(' '))
  const note = `Good until ${bearer.expiresAt} for any number of requests: ${granted} at ${cleanLine(oracle.name)}.`
  return { token: bearer.token, note }
}
