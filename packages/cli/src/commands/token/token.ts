import { abilityCovers, impersonationAbility } from '@sibyl/identity'
import { type OpenedOracle, openOracle } from '../../oracle/open-oracle.ts'
import { signInvocation } from '../../oracle/sign-invocation.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { formatTimestamp } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { TokenOptions } from './token-command.ts'

const defaultAbilities = ['chat/*', 'session/*']

/** The default lifetime of an invocation, in seconds. */
const invocationLifetime = 300

interface MadeToken {
  readonly token: string
  readonly kind: 'invocation' | 'bearer'
  readonly abilities: readonly string[]
  readonly expiresAt: string
  readonly note: string
}

/** Runs `sibyl token`: prints the token to standard output; on a terminal it also prints the validity. */
export const printToken = async (options: TokenOptions, io: CommandIo): Promise<void> => {
  const opened = await openOracle(options, io)
  const { note, ...made } = await opened.explained(options.bearer ? exchange(opened, options) : mint(opened, options))
  if (options.json) return writeJson(io, { ...made, oracle: opened.oracle.did ?? opened.oracle.publicDid })
  io.stdout.write(`${made.token}\n`)
  if (io.stdout.isTTY) io.stderr.write(`${note}\n`)
}

const mint = async (opened: OpenedOracle, options: TokenOptions): Promise<MadeToken> => {
  const { lifetime: lifetimeSeconds = invocationLifetime } = options
  const abilities = abilitiesOf(opened, options)
  const token = await signInvocation(opened, abilities, { lifetimeSeconds })
  const note = `Valid for ${lifetimeSeconds} s and one request, which a GET may repeat: ${abilities.join(' ')} at ${cleanLine(opened.oracle.name)}.`
  const expiresAt = formatTimestamp(Date.now() + lifetimeSeconds * 1000)
  return { token, kind: 'invocation', abilities, expiresAt, note }
}

const exchange = async (opened: OpenedOracle, options: TokenOptions): Promise<MadeToken> => {
  const { client, oracle } = opened
  const { lifetime: lifetimeSeconds } = options
  const bearer = await client.bearers.exchange({ scopes: abilitiesOf(opened, options), lifetimeSeconds })
  const granted = cleanLine(bearer.scopes.join(' '))
  const note = `Valid until ${bearer.expiresAt} for any number of requests: ${granted} at ${cleanLine(oracle.name)}.`
  return { token: bearer.token, kind: 'bearer', abilities: bearer.scopes, expiresAt: bearer.expiresAt, note }
}

/** Returns the requested abilities; by default chat and sessions, as far as the delegation allows them. */
const abilitiesOf = ({ delegation }: OpenedOracle, { ability }: TokenOptions): string[] => {
  if (ability) return [...ability]
  if (!delegation) return [...defaultAbilities]
  const abilities = delegation.abilities.filter(ability => ability !== impersonationAbility)
  const covered = (wanted: string, held: readonly string[]) => held.some(it => abilityCovers(it, wanted))
  const allowed = new Set([
    ...defaultAbilities.filter(wanted => covered(wanted, abilities)),
    ...abilities.filter(held => covered(held, defaultAbilities)),
  ])
  return allowed.size > 0 ? [...allowed] : [...abilities]
}
