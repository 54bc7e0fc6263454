import { PassThrough } from 'node:stream'
import { type CANCEL_SYMBOL, confirm, isCancel, password, S_BAR, S_STEP_SUBMIT, select, text } from '@clack/prompts'
import { cliErrors } from '../errors/cli-errors.ts'
import { Screen } from '../output/screen.ts'
import { isTerminal, stylesFor } from '../output/styles.ts'
import { wrapLine } from '../output/text-wrapper.ts'
import type { CommandIo, InputStream, OutputStream } from '../process/command-io.ts'
import type { Asker } from './asker.ts'
import { untilInterrupted } from './until-interrupted.ts'
import { showWork } from './work-line.ts'

/**
 * Asks on a terminal, with a guide line on the left. Without a terminal it cannot ask, and prints plain lines.
 *
 * @param output The stream of questions and notes. @default stdout if it is a terminal, else stderr; pass stderr with
 * `--json`
 * @param withGuide Whether a line joins the questions; a conversation has none. @default true
 */
export const clackAsker = (
  io: CommandIo,
  output: OutputStream = io.stdout.isTTY ? io.stdout : io.stderr,
  withGuide = true,
): Asker => {
  const terminal = isTerminal(output, io.env)
  const screen = new Screen(output, terminal)
  const styles = stylesFor(output, io.env)
  const answerOf = <Value>(prompt: (form: QuestionForm) => Promise<Value | typeof CANCEL_SYMBOL>) => {
    screen.endLine()
    return readAnswer(io, output, ends => prompt({ ...ends, withGuide }))
  }
  return {
    text: (message, { initial, placeholder, check } = {}) =>
      answerOf(ends =>
        text({
          ...ends,
          message,
          ...(initial === undefined ? {} : { defaultValue: initial }),
          placeholder: placeholder ?? initial ?? '',
          ...(check ? { validate: answer => check(answer || (initial ?? '')) } : {}),
        }).then(orEmpty),
      ),
    secret: (message, { check } = {}) =>
      answerOf(ends =>
        password({ ...ends, message, ...(check ? { validate: answer => check(answer ?? '') } : {}) }).then(orEmpty),
      ),
    async select(message, choices, initial) {
      const options = choices.map(({ label, hint }, value) => ({ value, label, ...(hint ? { hint } : {}) }))
      const marked = choices.findIndex(({ value }) => value === initial)
      const place = await answerOf(ends =>
        select({ ...ends, message, options, initialValue: Math.max(0, marked), showInstructions: false }),
      )
      return choices[place]!.value
    },
    confirm: (message, initial = true) => answerOf(ends => confirm({ ...ends, message, initialValue: initial })),
    note(lines, title) {
      if (!terminal) {
        for (const line of [...(title === undefined ? [] : [title]), ...lines]) screen.line(line)
        return
      }
      const bar = styles.dim(S_BAR)
      screen.line(bar)
      const put = (symbol: string, line: string) => {
        for (const [place, part] of wrapLine(line, Math.max(10, screen.columns - 3)).entries()) {
          screen.line(part === '' ? bar : `${place === 0 ? symbol : bar}  ${part}`)
        }
      }
      if (title !== undefined) put(styles.accent(S_STEP_SUBMIT), title)
      for (const line of lines) put(bar, line)
    },
    async during(name, work) {
      const shown = showWork(name, screen, terminal, io)
      try {
        return await untilInterrupted(io, () => work(shown.step))
      } finally {
        shown.done()
      }
    },
  }
}

interface QuestionEnds {
  readonly input: InputStream
  readonly output: OutputStream
  readonly signal: AbortSignal
}

interface QuestionForm extends QuestionEnds {
  readonly withGuide: boolean
}

/** Waits for the answer. Escape, Ctrl-C, Ctrl-D and a closed terminal cancel the question. */
const readAnswer = <Value>(
  io: CommandIo,
  output: OutputStream,
  prompt: (ends: QuestionEnds) => Promise<Value | typeof CANCEL_SYMBOL>,
): Promise<Value> =>
  untilInterrupted(io, async signal => {
    const controller = new AbortController()
    const leave = () => controller.abort()
    const { input, release } = openQuestionInput(io.stdin)
    io.stdin.once('end', leave).once('close', leave)
    input.on('keypress', (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }) => {
      if (key?.ctrl && key.name === 'd') leave()
    })
    try {
      const answer = await prompt({ input, output, signal: AbortSignal.any([signal, controller.signal]) })
      if (isCancel(answer)) throw cliErrors.interrupted('The question was not answered.', '')
      return answer
    } finally {
      io.stdin.off('end', leave).off('close', leave)
      release()
    }
  })

const orEmpty = <Left>(answer: string | undefined | Left): string | Left => answer ?? ''

/** The maximum size of a paste, in bytes; 24 words have less than 220. */
const longestPiece = 1_024

interface QuestionInput {
  readonly input: InputStream
  release(): void
}

/**
 * Forwards typed input and drops pastes that are too long: each character redraws the question, which would take
 * minutes.
 */
export const openQuestionInput = (stdin: InputStream): QuestionInput => {
  const input = Object.assign(new PassThrough(), {
    isTTY: stdin.isTTY === true,
    setRawMode: (raw: boolean) => stdin.setRawMode?.(raw),
  })
  const passOn = (bytes: Buffer | string) => {
    if (bytes.length <= longestPiece) input.write(bytes)
  }
  // After Ctrl-Z, readline waits for a call to resume.
  input.on('pause', () => setImmediate(() => input.destroyed || input.resume()))
  stdin.on('data', passOn).resume()
  return {
    input,
    release() {
      stdin.pause().off('data', passOn)
      input.destroy()
    },
  }
}
