import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { safeJson } from '../../output/clean-text.ts'
import { requestOperator } from '../request-operator.ts'
import type { EraseOptions } from './people-options.ts'
import { readPerson } from './read-person.ts'

/**
 * Runs `sibyl people export`: all that is stored of a person, as JSON on standard output.
 *
 * @throws CommandError, and what `requestOperator` throws
 */
export const exportPerson = async (given: string, options: EraseOptions, io: CommandIo): Promise<ExitCode> => {
  const path = `/people/${encodeURIComponent(await readPerson(given, io))}/export`
  const records = await requestOperator({ method: 'GET', path }, options, io)
  io.stdout.write(`${options.json ? safeJson(records) : safeJson(records, 2)}\n`)
  return exitCode.done
}
