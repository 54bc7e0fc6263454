import type { JsonOptions } from '../../command/common-options.ts'
import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { isCurrent, type KeptDelegation, KeptDelegations } from '../../home/kept-delegations.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { writeJson } from '../../output/write-json.ts'

/**
 * Runs `sibyl token list`: the delegations that the person keeps, without their tokens.
 *
 * @throws `configuration_invalid` when their file is damaged
 */
export const listDelegations = async ({ json }: JsonOptions, io: CommandIo): Promise<ExitCode> => {
  const kept = await new KeptDelegations(homeFolder(io.env)).list()
  if (json) {
    const delegations = kept.map(one => {
      const { token: _, ...facts } = one
      return { ...facts, current: isCurrent(one) }
    })
    writeJson(io, { delegations })
    return exitCode.done
  }
  for (const delegation of kept) io.stdout.write(`${linesOf(delegation).join('\n')}\n`)
  if (kept.length === 0) io.stderr.write('You keep no delegation.\n')
  return exitCode.done
}

const linesOf = (delegation: KeptDelegation): string[] => {
  const { url, oracle, audience, issuer, abilities, expiresAt } = delegation
  const facts = {
    'lets in': audience,
    from: issuer,
    'to do': abilities.join(' '),
    until: isCurrent(delegation) ? expiresAt : `${expiresAt} (ended)`,
  }
  const lines = Object.entries(facts).map(([name, fact]) => `  ${name.padEnd(9)}${cleanLine(fact)}`)
  return [cleanLine(`${url} ${oracle}`), ...lines]
}
