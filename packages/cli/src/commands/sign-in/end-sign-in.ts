import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainSignIn } from './explain-sign-in.ts'
import type { EndOptions } from './sign-in-options.ts'

/** Runs `sibyl sign-in end`. */
export const endSignIn = async (id: string, options: EndOptions, io: CommandIo): Promise<ExitCode> => {
  if (options.operator) {
    const path = `/oauth/sign-ins/${encodeURIComponent(id)}`
    await requestOperator({ method: 'DELETE', path }, options, io).catch(error => {
      throw explainSignIn(error)
    })
  } else {
    const { client, explain } = await openOracle(options, io)
    await client.signIns.end(id).catch(async error => {
      throw await explain(explainSignIn(error))
    })
  }
  if (options.json) writeJson(io, { ended: id })
  else io.stderr.write('Ended.\n')
  return exitCode.done
}
