import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainUnknownId, openApiKeys } from './api-key-client.ts'
import type { ApiKeyOptions } from './api-keys-options.ts'

/** Runs `sibyl api-keys revoke`. */
export const revokeApiKey = async (id: string, options: ApiKeyOptions, io: CommandIo): Promise<ExitCode> => {
  const keys = await openApiKeys(options, io)
  await keys.revoke(id).catch(error => {
    throw explainUnknownId(error)
  })
  if (options.json) writeJson(io, { revoked: id })
  else io.stderr.write('Revoked.\n')
  return exitCode.done
}
