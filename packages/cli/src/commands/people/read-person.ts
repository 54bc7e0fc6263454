import { createInterface } from 'node:readline'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'

const form = /^(did:[a-z0-9]+:\S+|\+[1-9][0-9]{6,14})$/

/**
 * Reads which person a command is about: a DID or a phone number.
 *
 * @param given `-` reads the first line of stdin.
 * @throws `usage_invalid` when it is neither
 */
export const readPerson = async (given: string, { stdin }: Pick<CommandIo, 'stdin'>): Promise<string> => {
  const person = (given === '-' ? await firstLine(stdin) : given).trim()
  if (form.test(person) && person.length <= 500) return person
  throw cliErrors.usage_invalid('That is neither a DID nor a phone number.', 'Give did:key:z6Mk… or +260971234567.')
}

const firstLine = async (stdin: CommandIo['stdin']): Promise<string> => {
  for await (const line of createInterface({ input: stdin })) return line
  return ''
}
