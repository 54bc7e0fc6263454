import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { homeFolder } from '../../home/home-folder.ts'

/**
 * Runs `sibyl token whoami`: the person's DID alone on standard output.
 *
 * @throws ConfigurationError (`configuration_invalid`) when the key is not usable
 */
export const showDid = async (io: CommandIo): Promise<ExitCode> => {
  const { key, path, made, mended } = await openDeveloperKey(homeFolder(io.env))
  if (made) io.stderr.write(`Made your key in ${path}\n`)
  if (mended !== undefined) io.stderr.write(`${mended}\n`)
  io.stdout.write(`${key.did}\n`)
  return exitCode.done
}
