import { createClient, ProblemError } from '@sibyl/client'
import { abilityCovers, createVerifier, type Delegation, type RefusalReason } from '@sibyl/identity'
import { cliErrors } from '../../errors/cli-errors.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { KeptDelegations } from '../../home/kept-delegations.ts'
import { howToGetAccess } from '../../oracle/explain-refusal.ts'
import { type OpenedOracle, openOracle } from '../../oracle/open-oracle.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { formatTimestamp } from '../../output/format.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { AskOptions } from './delegation-commands.ts'
import { delegatedDid, readToken } from './read-token.ts'

/**
 * Runs `sibyl token accept`: stores a delegation for an oracle, after the oracle accepted it.
 *
 * @param source A file, or `-` for stdin. @default stdin
 */
export const acceptDelegation = async (
  source: string | undefined,
  options: AskOptions,
  io: CommandIo,
): Promise<void> => {
  const opened = await openOracle(options, io)
  const { key, client, oracle } = opened
  const did = delegatedDid(oracle)
  if (source === undefined && io.stdin.isTTY) io.stderr.write('Paste the delegation, then press Enter:\n')
  const token = await readToken(source ?? '-', io)

  const { issuer, capabilities, expiresAt } = await checkDelegation(token, opened)
  const abilities = capabilities.filter(it => it.resource === `oracle:${did}`).map(it => it.ability)
  if (abilities.length === 0) {
    const resources = [...new Set(capabilities.map(it => cleanLine(it.resource)))].join(' ')
    throw cliErrors.access_refused(
      `The delegation is for ${resources}, and this is oracle:${did}.`,
      'Pass the address of its oracle with --url.',
    )
  }
  if (abilities.some(it => abilityCovers(it, 'session/read'))) await tryDelegation(token, opened)

  const delegations = new KeptDelegations(homeFolder(io.env))
  const earlier = await delegations.find(did, key.did)
  const until = formatTimestamp(expiresAt * 1000)
  const accepted = { oracle: did, url: client.url, issuer, abilities, expiresAt: until }
  await delegations.keep({ ...accepted, audience: key.did, token })
  if (options.json) return writeJson(io, accepted)
  io.stderr.write(`You have ${abilities.join(' ')} at ${cleanLine(oracle.name)} until ${until}.\n`)
  if (earlier && earlier.token !== token) io.stderr.write('The previous delegation for this oracle was removed.\n')
}

/** Checks a delegation locally: audience, times, attenuation, signatures. */
const checkDelegation = async (token: string, { key, client }: OpenedOracle): Promise<Delegation> => {
  const verifier = createVerifier({ audience: [key.did], rootIssuers: () => ({ access: 'open' }) })
  const verdict = await verifier.verifyDelegation(token, key.did)
  if (verdict.ok) return verdict.delegation
  const words = inWords[verdict.reason] ?? `The delegation is invalid: ${cleanLine(verdict.detail)}`
  const remedy = howToGetAccess({ did: key.did, url: client.url })
  throw cliErrors.access_refused(`${words} (ucan_${verdict.reason})`, remedy)
}

const inWords: Partial<Record<RefusalReason, string>> = {
  malformed: 'The input is not a complete delegation.',
  wrong_audience: 'The delegation is for another DID, not for yours.',
  expired: 'The delegation has expired.',
}

/** Tests the delegation at the oracle, since only it knows its controllers and revocations. */
const tryDelegation = async (token: string, { key, client, oracle }: OpenedOracle): Promise<void> => {
  const expectedDid = oracle.did ?? oracle.publicDid
  try {
    await createClient({ url: client.url, signer: key, proofs: [token], expectedDid }).sessions.list()
  } catch (error) {
    if (!(error instanceof ProblemError) || (error.status !== 401 && error.status !== 403)) throw error
    const words = refusedInWords[error.code] ?? `The oracle rejects the delegation: ${cleanLine(error.message)}`
    const remedy = howToGetAccess({ did: key.did, url: client.url })
    throw cliErrors.access_refused(`${words} (${cleanLine(error.code)})`, remedy, { cause: error })
  }
}

const refusedInWords: Readonly<Record<string, string>> = {
  ucan_untrusted_root: 'Its issuer is not a controller of this oracle.',
  ucan_revoked: 'It was revoked.',
}
