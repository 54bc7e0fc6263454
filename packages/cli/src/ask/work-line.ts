import { truncate } from '../output/display-width.ts'
import { Screen } from '../output/screen.ts'
import { isTerminal, stylesFor } from '../output/styles.ts'
import type { CommandIo } from '../process/command-io.ts'

const frames = ['◒', '◐', '◓', '◑'] as const
const frameMs = 120
const countedFromMs = 2_000
const lineEveryMs = 10_000

interface ShownWork {
  step(text: string): void
  done(): void
}

/**
 * Shows progress: on a terminal a moving line that disappears afterwards, elsewhere a line for each step and every 10
 * s.
 */
export const showWork = (name: string, screen: Screen, terminal: boolean, io: CommandIo): ShownWork => {
  const start = io.now()
  const secondsSince = () => Math.floor((io.now() - start) / 1_000)
  if (!terminal) {
    screen.line(`${name} …`)
    const timer = setInterval(() => screen.line(`  ${secondsSince()} s …`), lineEveryMs)
    timer.unref()
    return { step: text => screen.line(`  ${text} …`), done: () => clearInterval(timer) }
  }
  const { accent } = stylesFor(io.stdout, io.env)
  let running = name
  const show = () => {
    const elapsed = io.now() - start
    const frame = frames[Math.floor(elapsed / frameMs) % frames.length] ?? frames[0]
    const seconds = elapsed < countedFromMs ? '' : `  ${secondsSince()} s`
    screen.pass(`${accent(frame)}  ${truncate(running, screen.columns - 4 - seconds.length)}${seconds}`)
  }
  show()
  const timer = setInterval(show, frameMs)
  return {
    step(text) {
      running = `${name}: ${text}`
      show()
    },
    done() {
      clearInterval(timer)
      screen.endLine()
    },
  }
}

/** Shows the name of work that may take longer than a second while it runs. */
export const during = async <Result>(
  name: string,
  io: CommandIo,
  work: (step: (text: string) => void) => Promise<Result>,
): Promise<Result> => {
  if (!isTerminal(io.stderr, io.env)) return work(() => {})
  const shown = showWork(name, new Screen(io.stderr, true), true, io)
  return work(shown.step).finally(shown.done)
}
