import { createInterface } from 'node:readline'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import { cleanLine, safeJson, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { ask, canAsk } from '../ussd/operator/operator-note.ts'
import type { EraseOptions } from './people-options.ts'

/** Runs `sibyl people erase`: erases all stored data of a person, after a confirmation or with `--yes`. */
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
    throw cliErrors.usage_invalid('Erasing needs a confirmation, and there is no terminal for it.', 'Give --yes.')
  const question = `All stored data of ${cleanLine(person)} is erased permanently. Type erase to confirm.`
  const answer = await ask(question, io, text => (text.trim() === 'erase' ? undefined : 'Ctrl-C changes nothing.'))
  return answer !== undefined
}

/** Runs `sibyl people export`: prints all stored data of a person as JSON. */
export const exportPerson = async (given: string, options: EraseOptions, io: CommandIo): Promise<ExitCode> => {
  const path = `/people/${encodeURIComponent(await readPerson(given, io))}/export`
  const records = await requestOperator({ method: 'GET', path }, options, io)
  io.stdout.write(`${options.json ? safeJson(records) : safeJson(records, 2)}\n`)
  return exitCode.done
}

const form = /^(did:[a-z0-9]+:\S+|\+[1-9][0-9]{6,14})$/

/**
 * Reads the person of a command: a DID or a phone number.
 *
 * @param given `-` reads the first line of stdin.
 * @throws `usage_invalid` when it is neither
 */
const readPerson = async (given: string, { stdin }: Pick<CommandIo, 'stdin'>): Promise<string> => {
  const person = (given === '-' ? await firstLine(stdin) : given).trim()
  if (form.test(person) && person.length <= 500) return person
  throw cliErrors.usage_invalid('That is neither a DID nor a phone number.', 'Give did:key:z6Mk… or +260971234567.')
}

const firstLine = async (stdin: CommandIo['stdin']): Promise<string> => {
  for await (const line of createInterface({ input: stdin })) return line
  return ''
}
