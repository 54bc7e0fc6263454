import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine } from '../../output/clean-text.ts'
import { writeJson } from '../../output/write-json.ts'
import { requestOperator } from '../request-operator.ts'
import { ask, canAsk } from '../ussd/operator/operator-note.ts'
import type { EraseOptions } from './people-options.ts'
import { readPerson } from './read-person.ts'

/**
 * Runs `sibyl people erase`: erases all that is stored of a person, once an operator confirmed it or with `--yes`.
 *
 * @throws CommandError, and what `requestOperator` throws
 */
export const erasePerson = async (given: string, options: EraseOptions, io: CommandIo): Promise<ExitCode> => {
  const person = await readPerson(given, io)
  if (!options.yes && !(await isConfirmed(person, options, io))) {
    io.stderr.write('Nothing was changed.\n')
    return exitCode.interrupted
  }
  await requestOperator({ method: 'DELETE', path: `/people/${encodeURIComponent(person)}` }, options, io)
  if (options.json) writeJson(io, { erased: true })
  else io.stderr.write('Erased.\n')
  return exitCode.done
}

const isConfirmed = async (person: string, options: EraseOptions, io: CommandIo): Promise<boolean> => {
  if (!canAsk(io, options))
    throw cliErrors.usage_invalid('Erasing needs a confirmation, and nobody can be asked here.', 'Give --yes.')
  const question = `All that is stored of ${cleanLine(person)} is erased, for good. Type erase to confirm it.`
  const answer = await ask(question, io, text => (text.trim() === 'erase' ? undefined : 'Ctrl-C changes nothing.'))
  return answer !== undefined
}
