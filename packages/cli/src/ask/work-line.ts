import type { CommandIo } from '../command-io.ts'
import { truncate } from '../output/display-width.ts'
import type { Screen } from '../output/screen.ts'
import { stylesFor } from '../output/styles.ts'

const frames = ['◒', '◐', '◓', '◑'] as const
const frameMs = 120
/** From then on the seconds are counted on the screen. */
const countedFromMs = 2_000

/**
 * Shows that work goes on: on a terminal a moving line that is gone afterwards, elsewhere one line.
 *
 * @returns what ends it
 */
export const showWork = (name: string, screen: Screen, terminal: boolean, io: CommandIo): (() => void) => {
  if (!terminal) {
    screen.line(`${name} …`)
    return () => {}
  }
  const start = io.now()
  const { accent } = stylesFor(io.stdout, io.env)
  const show = () => {
    const elapsed = io.now() - start
    const frame = frames[Math.floor(elapsed / frameMs) % frames.length] ?? frames[0]
    const seconds = elapsed < countedFromMs ? '' : `  ${Math.floor(elapsed / 1_000)} s`
    screen.pass(`${accent(frame)}  ${truncate(name, screen.columns - 4 - seconds.length)}${seconds}`)
  }
  show()
  const timer = setInterval(show, frameMs)
  return () => {
    clearInterval(timer)
    screen.endLine()
  }
}
