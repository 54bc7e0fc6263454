import { z } from 'zod'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { safeJson } from '../../../output/clean-text.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { isPhoneNumber } from '../phone/dial-formats.ts'
import { OperatorClient, readTarget } from './operator-client.ts'
import { operatorNote } from './operator-note.ts'
import type { RecordedOptions } from './operator-options.ts'

/**
 * Runs `sibyl ussd customers export`: export all data of a phone, as JSON on standard output.
 *
 * @param target A phone number; `-` for stdin.
 */
export const exportCustomer = async (target: string, options: RecordedOptions, io: CommandIo): Promise<ExitCode> => {
  const client = await OperatorClient.open(options, io)
  const phoneNumber = await readTarget(target, io)
  if (!isPhoneNumber(phoneNumber))
    throw cliErrors.usage_invalid('export requires a phone number.', 'Pass a number such as +260971234567.')
  const note = await operatorNote(options, io)
  if (!note) return exitCode.interrupted
  const answer = z.record(z.string(), z.unknown())
  const content = await client.send({
    method: 'POST',
    path: '/customers/exports',
    body: { phoneNumber, ...note },
    answer,
  })
  io.stdout.write(`${options.json ? safeJson(content) : safeJson(content, 2)}\n`)
  return exitCode.done
}
