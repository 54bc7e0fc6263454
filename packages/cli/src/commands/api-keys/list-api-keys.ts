import type { ApiKeyRecord } from '@sibyl/protocol'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openApiKeys } from './api-key-client.ts'
import type { ApiKeyOptions } from './api-keys-options.ts'

/** Runs `sibyl api-keys list`. */
export const listApiKeys = async (options: ApiKeyOptions, io: CommandIo): Promise<ExitCode> => {
  const keys = await (await openApiKeys(options, io)).list()
  if (options.json) {
    writeJson(io, { keys })
    return exitCode.done
  }
  for (const key of keys) io.stdout.write(`${linesOf(key).join('\n')}\n`)
  if (keys.length === 0) io.stderr.write('There are no API keys.\n')
  return exitCode.done
}

const linesOf = ({ id, name, did, scopes, createdAt, expiresAt, lastUsedAt = 'never' }: ApiKeyRecord): string[] => {
  const facts = { 'acts as': did, scopes: scopes.join(' '), created: createdAt, expires: expiresAt, used: lastUsedAt }
  const lines = Object.entries(facts).map(([fact, value]) => `  ${fact.padEnd(9)}${cleanLine(value)}`)
  return [cleanLine(`${id} ${name}`), ...lines]
}
