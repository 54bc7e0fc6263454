import type { JsonOptions } from '../../command/common-options.ts'
import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { writeJson } from '../../output/write-json.ts'

/**
 * Runs `sibyl token whoami`: the person's DID alone on standard output.
 *
 * @throws `configuration_invalid` when the key is not usable
 */
export const showDid = async ({ json }: JsonOptions, io: CommandIo): Promise<ExitCode> => {
  const { key, path, made, mended } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Made your key in ${path}\n`)
  if (mended !== undefined) io.stderr.write(`${mended}\n`)
  if (json) writeJson(io, { did: key.did, path })
  else io.stdout.write(`${key.did}\n`)
  return exitCode.done
}
