import { createInterface, type Interface } from 'node:readline'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { type LineEnd, Phone, type PhoneParts } from './phone.ts'
import { handleLine, recordingNotice } from './phone-commands.ts'

/**
 * Dials, and sends the lines of stdin, up to the first that fails. Blank lines are skipped.
 *
 * @throws the errors of `handleLine`
 */
export const callByScript = async (parts: PhoneParts, io: CommandIo): Promise<ExitCode> => {
  const phone = new Phone(parts)
  let lines: Interface | undefined
  let interrupted = false
  const release = io.onInterrupt(() => {
    interrupted = true
    phone.cancel()
    lines?.close()
  })
  try {
    if (parts.recorder) parts.view.note(recordingNotice)
    let end: LineEnd = await phone.dial()
    lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
    if (end === 'shown') {
      for await (const line of lines) {
        if (interrupted) break
        if (line.trim() !== '') end = await handleLine(phone, parts.view, line)
        if (end !== 'shown') break
      }
    }
    if (interrupted) return exitCode.interrupted
    return end === 'failed' ? exitCode.failed : exitCode.done
  } finally {
    release()
    lines?.close()
  }
}
