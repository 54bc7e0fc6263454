import { createInterface } from 'node:readline'
import type { CommandIo } from '../../../command-io.ts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { isPhoneNumber } from '../dial-formats.ts'

/**
 * Whom a command is about: a phone number or a customer's id.
 *
 * @param target `-` reads the first line of stdin.
 * @throws `usage_invalid` when it is neither
 */
export const readTarget = async (target: string, { stdin }: CommandIo): Promise<string> => {
  const given = (target === '-' ? await firstLine(stdin) : target).trim()
  if (isPhoneNumber(given) || /^\d{9}$/.test(given)) return given
  throw cliErrors.usage_invalid(
    'That is neither a phone number nor a customer’s ID.',
    'Give +260971234567, or nine digits.',
  )
}

const firstLine = async (stdin: CommandIo['stdin']): Promise<string> => {
  const lines = createInterface({ input: stdin })
  for await (const line of lines) return line
  return ''
}
