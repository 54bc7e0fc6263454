import type { JsonOptions } from '../../command/common-options.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { isCurrent, type KeptDelegation, KeptDelegations } from '../../home/kept-delegations.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { writeJson } from '../../output/clean-text.ts'
import { type ListEntry, writeList } from '../../output/write-list.ts'
import type { CommandIo } from '../../process/command-io.ts'

/**
 * Runs `sibyl token list`: lists the stored delegations, without their tokens.
 *
 * @throws `configuration_invalid` when their file is damaged
 */
export const listDelegations = async ({ json }: JsonOptions, io: CommandIo): Promise<void> => {
  const kept = await new KeptDelegations(homeFolder(io.env)).list()
  if (json) {
    const delegations = kept.map(one => {
      const { token: _, ...facts } = one
      return { ...facts, current: isCurrent(one) }
    })
    writeJson(io, { delegations })
    return
  }
  writeList(io, kept.map(entryOf), 'You have no stored delegations.')
}

const entryOf = (delegation: KeptDelegation): ListEntry => {
  const { url, oracle, audience, issuer, abilities, expiresAt } = delegation
  return {
    title: `${url} ${oracle}`,
    facts: {
      'lets in': audience,
      from: issuer,
      'to do': abilities.join(' '),
      until: isCurrent(delegation) ? expiresAt : `${expiresAt} (ended)`,
    },
  }
}

/**
 * Runs `sibyl token drop`.
 *
 * @param oracle Its address or did:key, as listed by `sibyl token list`.
 * @throws `usage_invalid` when none is stored for it
 */
export const dropDelegation = async (oracle: string, { json }: JsonOptions, io: CommandIo): Promise<void> => {
  const dropped = await new KeptDelegations(homeFolder(io.env)).drop(parseOracleUrl(oracle) ?? oracle)
  if (dropped === 0)
    throw cliErrors.usage_invalid(
      'You have no stored delegation for that oracle.',
      'sibyl token list shows your delegations.',
    )
  if (json) writeJson(io, { dropped })
  else io.stderr.write('Dropped.\n')
}

/**
 * Runs `sibyl token whoami`: prints the DID of the user.
 *
 * @throws `configuration_invalid` when the key is not usable
 */
export const showDid = async ({ json }: JsonOptions, io: CommandIo): Promise<void> => {
  const { key, path, made, notice } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Created your key in ${path}\n`)
  if (notice !== undefined) io.stderr.write(`${notice}\n`)
  if (json) writeJson(io, { did: key.did, path })
  else io.stdout.write(`${key.did}\n`)
}
