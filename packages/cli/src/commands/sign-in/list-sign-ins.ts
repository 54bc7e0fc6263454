import type { SignInRecord } from '@sibyl/protocol'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainSignIn } from './explain-sign-in.ts'
import type { ListOptions } from './sign-in-options.ts'

/** Runs `sibyl sign-in list`. */
export const listSignIns = async (options: ListOptions, io: CommandIo): Promise<ExitCode> => {
  const { client, explain } = await openOracle(options, io)
  const signIns = await client.signIns.list().catch(async error => {
    throw await explain(explainSignIn(error))
  })
  if (options.json) {
    writeJson(io, { signIns })
    return exitCode.done
  }
  for (const signIn of signIns) io.stdout.write(`${linesOf(signIn).join('\n')}\n`)
  if (signIns.length === 0) io.stderr.write('No application acts for you.\n')
  return exitCode.done
}

const linesOf = ({ id, clientName, resource, scopes, ...times }: SignInRecord): string[] => {
  const { createdAt: created, expiresAt: expires, usedAt: used } = times
  const facts = { at: resource, scopes: scopes.join(' '), created, expires, used }
  const lines = Object.entries(facts).map(([fact, value]) => `  ${fact.padEnd(9)}${cleanLine(value)}`)
  return [cleanLine(`${id} ${clientName}`), ...lines]
}
