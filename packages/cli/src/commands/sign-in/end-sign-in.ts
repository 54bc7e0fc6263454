import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainUnknownId, openSignIns } from './sign-in-client.ts'
import type { SignInOptions } from './sign-in-options.ts'

/** Runs `sibyl sign-in end`. */
export const endSignIn = async (id: string, options: SignInOptions, io: CommandIo): Promise<ExitCode> => {
  const signIns = await openSignIns(options, io)
  await signIns.end(id).catch(error => {
    throw explainUnknownId(error)
  })
  if (options.json) writeJson(io, { ended: id })
  else io.stderr.write('Ended.\n')
  return exitCode.done
}
