import { ProblemError } from '@sibyl/client'
import { InvalidMintRequestError, impersonationAbility, mintDelegation } from '@sibyl/identity'
import { cliErrors } from '../../errors/cli-errors.ts'
import { CommandError } from '../../errors/command-error.ts'
import { openCaller } from '../../operations/open-caller.ts'
import { type OpenedOracle, openOracle } from '../../oracle/open-oracle.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { formatTimestamp } from '../../output/format.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { checkAbilities } from './check-abilities.ts'
import type { GrantOptions } from './delegation-commands.ts'
import { delegatedDid } from './read-token.ts'

/** The default abilities of a user, including bearers, and delegations for actions elsewhere. */
const defaultAbilities = ['chat/*', 'session/*', 'auth/token', 'delegation/*']

const defaultDays = 30

/**
 * Runs `sibyl token grant`: prints the delegation to standard output, and its abilities, expiry and next steps to
 * standard error.
 *
 * @param audience The did:key of the user.
 */
export const grantAccess = async (audience: string, options: GrantOptions, io: CommandIo): Promise<void> => {
  const opened = await openOracle(options, io)
  const { key, client, oracle, delegation } = opened
  const did = delegatedDid(oracle)
  if (!delegation) await checkController(opened)
  if (options.ability) await checkAbilities(client.url, options.ability)
  const { ability: abilities = passedOn(delegation?.abilities) ?? defaultAbilities, days = defaultDays } = options
  const grant = { key, audience, resource: `oracle:${did}`, abilities, lifetimeSeconds: days * 86_400 }
  const proofs = delegation ? [delegation.token] : []
  const token = await opened.explained(mintDelegation({ ...grant, proofs }))
  const isListed = await recordGrant(token, audience, options, io)
  const ends = Math.min(Date.now() + days * 86_400_000, Date.parse(delegation?.expiresAt ?? '') || Number.MAX_VALUE)
  if (options.json)
    return writeJson(io, { delegation: token, audience, oracle: did, abilities, expiresAt: formatTimestamp(ends) })
  io.stdout.write(`${token}\n`)
  io.stderr.write(
    asCalled(
      [
        `This lets ${audience} do ${abilities.join(' ')} at ${cleanLine(oracle.name)} until ${formatTimestamp(ends)}.`,
        'It is not a secret: only that user can use it. Send it to them; they run:',
        `  sibyl token accept --url ${client.url}`,
        isListed
          ? `To revoke it: sibyl token grants list --url ${client.url} shows its hash.`
          : `The oracle has no record of it. Keep a copy; to revoke it, pipe it to: sibyl token revoke - --url ${client.url}`,
        '',
      ].join('\n'),
      io.env,
    ),
  )
}

/** Records the grant for the list of the oracle; returns false if the user may not, or an older oracle has no list. */
const recordGrant = async (
  delegation: string,
  audience: string,
  options: GrantOptions,
  io: CommandIo,
): Promise<boolean> => {
  const caller = await openCaller('user', options, io)
  const body = { delegation, audience, name: options.name }
  try {
    await caller.call('POST /grants', { abilities: ['delegation/keep'], body })
    return true
  } catch (error) {
    if (error instanceof ProblemError || error instanceof InvalidMintRequestError || error instanceof CommandError)
      return false
    throw error
  }
}

/** Returns all granted abilities except impersonation, which only `--ability` delegates. */
const passedOn = (abilities: readonly string[] | undefined): readonly string[] | undefined =>
  abilities?.filter(ability => ability !== impersonationAbility)

/** Sends a small request to the oracle, since only it knows its controllers. */
const checkController = async ({ key, client }: OpenedOracle): Promise<void> => {
  try {
    await client.delegations.list()
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'ucan_untrusted_root') throw error
    const problem =
      'You cannot grant access: you are not a controller of this oracle, and you have no delegation from one.'
    throw cliErrors.access_refused(problem, `Ask the operator to add your DID to ORACLE_CONTROLLERS: ${key.did}`)
  }
}
