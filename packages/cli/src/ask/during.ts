import type { CommandIo } from '../command-io.ts'
import { Screen } from '../output/screen.ts'
import { isTerminal } from '../output/styles.ts'
import { showWork } from './work-line.ts'

/** Work that may take longer than a second, with its name in sight of a person. */
export const during = async <Result>(
  name: string,
  io: CommandIo,
  work: (step: (text: string) => void) => Promise<Result>,
): Promise<Result> => {
  if (!isTerminal(io.stderr, io.env)) return work(() => {})
  const shown = showWork(name, new Screen(io.stderr, true), true, io)
  return work(shown.step).finally(shown.done)
}
