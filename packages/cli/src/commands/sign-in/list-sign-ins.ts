import type { SignInRecord } from '@sibyl/protocol'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainNoOauth, openSignIns } from './sign-in-client.ts'
import type { SignInOptions } from './sign-in-options.ts'

/** Runs `sibyl sign-in list`. */
export const listSignIns = async (options: SignInOptions, io: CommandIo): Promise<ExitCode> => {
  const opened = await openSignIns(options, io)
  const signIns = await opened.list().catch(error => {
    throw explainNoOauth(error)
  })
  if (options.json) {
    writeJson(io, { signIns })
    return exitCode.done
  }
  for (const signIn of signIns) io.stdout.write(`${linesOf(signIn).join('\n')}\n`)
  if (signIns.length === 0) io.stderr.write('There are no sign-ins.\n')
  return exitCode.done
}

const linesOf = ({ id, did, clientName, resource, scopes, ...times }: SignInRecord): string[] => {
  const { createdAt: created, expiresAt: expires, usedAt: used } = times
  const user = did === undefined ? {} : { 'acts as': did }
  const facts = { ...user, at: resource, scopes: scopes.join(' '), created, expires, used }
  const lines = Object.entries(facts).map(([fact, value]) => `  ${fact.padEnd(9)}${cleanLine(value)}`)
  return [cleanLine(`${id} ${clientName}`), ...lines]
}
