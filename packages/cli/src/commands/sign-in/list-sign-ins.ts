import type { SignInRecord } from '@sibyl/protocol'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { writeJson } from '../../output/clean-text.ts'
import { type ListEntry, writeList } from '../../output/write-list.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainNoOauth, openSignIns } from './sign-in-client.ts'
import type { SignInOptions } from './sign-in-options.ts'

/** Runs `sibyl sign-in list`. */
export const listSignIns = async (options: SignInOptions, io: CommandIo): Promise<ExitCode> => {
  const opened = await openSignIns(options, io)
  const signIns = await opened.list().catch(error => {
    throw explainNoOauth(error)
  })
  if (options.json) writeJson(io, { signIns })
  else writeList(io, signIns.map(entryOf), 'There are no sign-ins.')
  return exitCode.done
}

const entryOf = ({ id, did, clientName, resource, scopes, ...times }: SignInRecord): ListEntry => {
  const { createdAt: created, expiresAt: expires, usedAt: used } = times
  const user: Record<string, string> = did === undefined ? {} : { 'acts as': did }
  return {
    title: `${id} ${clientName}`,
    facts: { ...user, at: resource, scopes: scopes.join(' '), created, expires, used },
  }
}
