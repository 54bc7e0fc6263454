import { type CANCEL_SYMBOL, confirm, isCancel, password, S_BAR, S_STEP_SUBMIT, select, text } from '@clack/prompts'
import type { CommandIo, OutputStream } from '../command-io.ts'
import { InterruptedError } from '../errors/interrupted-error.ts'
import { Screen } from '../output/screen.ts'
import { isTerminal, stylesFor } from '../output/styles.ts'
import { TextWrapper } from '../output/text-wrapper.ts'
import type { Asker } from './asker.ts'
import { untilInterrupted } from './until-interrupted.ts'
import { showWork } from './work-line.ts'

/**
 * Asks on a terminal, with a bar down the left side that joins the questions. Where there is no terminal it cannot ask,
 * and what it says is plain lines.
 *
 * @param output Where to ask and to say things. @default stdout where that is a terminal, else stderr; with `--json` give
 * stderr
 */
export const clackAsker = (io: CommandIo, output: OutputStream = io.stdout.isTTY ? io.stdout : io.stderr): Asker => {
  const terminal = isTerminal(output, io.env)
  const screen = new Screen(output, terminal)
  const styles = stylesFor(output, io.env)
  const ends = { input: io.stdin, output }
  const answerOf = <Value>(prompt: (signal: AbortSignal) => Promise<Value | typeof CANCEL_SYMBOL>) => {
    screen.endLine()
    return readAnswer(io, prompt)
  }
  return {
    text: (message, { initial, placeholder, check } = {}) =>
      answerOf(signal =>
        text({
          ...ends,
          signal,
          message,
          ...(initial === undefined ? {} : { defaultValue: initial }),
          placeholder: placeholder ?? initial ?? '',
          ...(check ? { validate: answer => check(answer || (initial ?? '')) } : {}),
        }).then(orEmpty),
      ),
    secret: (message, { check } = {}) =>
      answerOf(signal =>
        password({ ...ends, signal, message, ...(check ? { validate: answer => check(answer ?? '') } : {}) }).then(
          orEmpty,
        ),
      ),
    async select(message, choices, initial) {
      const options = choices.map(({ label, hint }, value) => ({ value, label, ...(hint ? { hint } : {}) }))
      const marked = choices.findIndex(({ value }) => value === initial)
      const place = await answerOf(signal =>
        select({ ...ends, signal, message, options, initialValue: Math.max(0, marked), showInstructions: false }),
      )
      return choices[place]!.value
    },
    confirm: (message, initial = true) =>
      answerOf(signal => confirm({ ...ends, signal, message, initialValue: initial })),
    note(lines, title) {
      if (!terminal) {
        for (const line of [...(title === undefined ? [] : [title]), ...lines]) screen.line(line)
        return
      }
      const bar = styles.dim(S_BAR)
      screen.line(bar)
      const put = (symbol: string, line: string) => {
        for (const [place, part] of wrapLine(line, screen.columns - 3).entries()) {
          screen.line(part === '' ? bar : `${place === 0 ? symbol : bar}  ${part}`)
        }
      }
      if (title !== undefined) put(styles.accent(S_STEP_SUBMIT), title)
      for (const line of lines) put(bar, line)
    },
    async during(name, work) {
      const done = showWork(name, screen, terminal, io)
      try {
        return await untilInterrupted(io, work)
      } finally {
        done()
      }
    },
  }
}

/** Waits for the answer; Escape, Ctrl-C, Ctrl-D and a terminal that is gone leave the question. */
const readAnswer = <Value>(
  io: CommandIo,
  prompt: (signal: AbortSignal) => Promise<Value | typeof CANCEL_SYMBOL>,
): Promise<Value> =>
  untilInterrupted(io, async signal => {
    const controller = new AbortController()
    const leave = () => controller.abort()
    const leaveAtCtrlD = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
      if (key?.ctrl && key.name === 'd') leave()
    }
    io.stdin.once('end', leave).once('close', leave).on('keypress', leaveAtCtrlD)
    try {
      const answer = await prompt(AbortSignal.any([signal, controller.signal]))
      if (isCancel(answer)) throw new InterruptedError('The question was left without an answer.', '')
      return answer
    } finally {
      io.stdin.off('end', leave).off('close', leave).off('keypress', leaveAtCtrlD)
    }
  })

const orEmpty = <Left>(answer: string | undefined | Left): string | Left => answer ?? ''

/** A line of words in as many lines as it needs. */
const wrapLine = (line: string, columns: number): readonly string[] => {
  let wrapped = ''
  const wrapper = new TextWrapper(
    text => {
      wrapped += text
    },
    '',
    Math.max(10, columns),
  )
  wrapper.push(line)
  wrapper.flush()
  return wrapped.split('\n')
}
