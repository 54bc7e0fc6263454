import { type ExitCode, exitCode } from '../../../errors/exit-code.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { Phone, type PhoneParts } from './phone.ts'
import type { PhoneView } from './phone-view.ts'
import { screenLines } from './screen-frame.ts'

/**
 * Dials, sends some answers, and prints the last screen.
 *
 * @param json Whether to print it as JSON.
 * @throws the errors of `Phone.dial`
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
      parts.view.problem(`The session ended before ${answers.slice(typed).join('*')} was sent.`, '')
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

/**
 * Splits a text such as `1*2` into answers. An answer that is itself a star, which ends a session, stands between or
 * after the stars that join: `1**` is 1 and then a star.
 *
 * @returns undefined when an answer is missing: `1*`
 */
export const splitAnswers = (text: string): string[] | undefined => {
  if (text === '') return []
  const answers: string[] = []
  let rest = text
  for (;;) {
    const answer = rest.startsWith('*') ? '*' : /^[^*]*/.exec(rest)?.[0]
    if (!answer) return undefined
    answers.push(answer)
    rest = rest.slice(answer.length)
    if (rest === '') return answers
    if (!rest.startsWith('*')) return undefined
    rest = rest.slice(1)
  }
}
