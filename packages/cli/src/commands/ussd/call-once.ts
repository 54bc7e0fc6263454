import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { Phone, type PhoneParts } from './phone.ts'
import type { PhoneView } from './phone-view.ts'
import { screenLines } from './screen-lines.ts'

/**
 * Dials, types some answers, and shows the last screen alone.
 *
 * @param json Whether it is shown as JSON.
 * @throws what `Phone.dial` throws
 */
export const callOnce = async (
  parts: PhoneParts,
  answers: readonly string[],
  json: boolean,
  io: CommandIo,
): Promise<ExitCode> => {
  const phone = new Phone({ ...parts, view: withoutScreens(parts.view) })
  const release = io.onInterrupt(() => phone.cancel())
  try {
    let end = await phone.dial()
    let typed = 0
    for (const answer of answers) {
      if (end !== 'shown' || !phone.inCall) break
      end = await phone.answer(answer)
      typed += 1
    }
    if (end === 'cancelled') return exitCode.interrupted
    const reply = phone.call?.exchanges.at(-1)?.reply
    if (!phone.call || !reply) return exitCode.failed
    if (json) parts.view.screen(reply, phone.call)
    else io.stdout.write(`${screenLines(reply.text, Number.POSITIVE_INFINITY).join('\n')}\n`)
    if (typed < answers.length && end === 'shown') {
      parts.view.problem(`The session ended before ${answers.slice(typed).join('*')} could be typed.`, '')
      return exitCode.failed
    }
    return end === 'shown' ? exitCode.done : exitCode.failed
  } finally {
    release()
  }
}

const withoutScreens = (view: PhoneView): PhoneView => ({
  sending: () => {},
  settle: () => {},
  screen: () => {},
  note: text => view.note(text),
  problem: (message, remedy) => view.problem(message, remedy),
})
