import type { ApiKeyRecord } from '@sibyl/protocol'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { writeJson } from '../../output/clean-text.ts'
import { type ListEntry, writeList } from '../../output/write-list.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openApiKeys } from './api-key-client.ts'
import type { ApiKeyOptions } from './api-keys-options.ts'

/** Runs `sibyl api-keys list`. */
export const listApiKeys = async (options: ApiKeyOptions, io: CommandIo): Promise<ExitCode> => {
  const keys = await (await openApiKeys(options, io)).list()
  if (options.json) writeJson(io, { keys })
  else writeList(io, keys.map(entryOf), 'There are no API keys.')
  return exitCode.done
}

const entryOf = ({ id, name, did, scopes, ...times }: ApiKeyRecord): ListEntry => {
  const { createdAt: created, expiresAt: expires, lastUsedAt: used = 'never' } = times
  return { title: `${id} ${name}`, facts: { 'acts as': did, scopes: scopes.join(' '), created, expires, used } }
}
