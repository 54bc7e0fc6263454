import { LinePrompt } from '../../../ask/line-prompt.ts'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import { explainError } from '../../../errors/explain-error.ts'
import { Screen } from '../../../output/screen.ts'
import { stylesFor } from '../../../output/styles.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { FramedPhoneView } from './framed-phone-view.ts'
import { type LineEnd, Phone, type PhoneParts } from './phone.ts'
import { handleLine, recordingNotice } from './phone-commands.ts'

/**
 * Runs the phone on a terminal until the user exits. Errors after the first screen are shown, and the phone stays open.
 *
 * @param url That of the oracle.
 * @throws the errors of the first dial
 */
export const callByHand = async (parts: Omit<PhoneParts, 'view'>, url: string, io: CommandIo): Promise<ExitCode> => {
  const styles = stylesFor(io.stdout, io.env)
  const view = new FramedPhoneView(new Screen(io.stdout, true), styles, true)
  const phone = new Phone({ ...parts, view })
  const prompt = new LinePrompt(io, '', () => press(), false)
  const press = () => {
    if (phone.isWaiting) phone.cancel()
    else prompt.cancelQuestion()
  }
  const printCancelled = () => {
    prompt.forget()
    view.note('Canceled. Press Enter to dial again, Ctrl-C to exit.')
  }
  const release = io.onInterrupt(press)
  const label = () => styles.bold(phone.inCall ? 'reply ▸ ' : 'dial ▸ ')
  view.note(`${phone.serviceCode} from ${phone.number}   ${url}   /help   Ctrl-C cancels`)
  if (parts.recorder) view.note(recordingNotice)
  try {
    if ((await phone.dial()) === 'cancelled') printCancelled()
    for (;;) {
      const asked = await prompt.ask(label())
      if (asked.kind === 'end') return exitCode.done
      if (asked.kind === 'leave') {
        if (!phone.cancel()) return exitCode.interrupted
        printCancelled()
        continue
      }
      for (const [index, line] of asked.text.split('\n').entries()) {
        if (!asked.echoed || index > 0) view.showSent(label(), line)
        const end = await attempt(phone, view, line)
        if (end === 'left') return exitCode.done
        if (end === 'cancelled') printCancelled()
        if (end !== 'shown') break
      }
    }
  } finally {
    release()
    prompt.close()
  }
}

const attempt = async (phone: Phone, view: FramedPhoneView, line: string): Promise<LineEnd> => {
  try {
    return await handleLine(phone, view, line)
  } catch (error) {
    const { message, remedy } = explainError(error)
    view.problem(message, remedy)
    if (phone.inCall && !cliErrors.usage_invalid.is(error))
      view.note('The session is unchanged: you can send the same answer again.')
    return 'failed'
  }
}
