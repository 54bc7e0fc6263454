import { cleanLine, safeJson } from '../../output/clean-text.ts'
import { formatSeconds } from '../../output/format.ts'
import { type Styles, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo, OutputStream } from '../../process/command-io.ts'
import type { RunEnd } from './oracle-run.ts'

/** Shows the state of the oracle of a project. */
export interface DevView {
  started(url: string): void
  /** Shows the address of the console. */
  console(address: string): void
  /** Shows the code that the opened console asks for. */
  consoleCode(code: string): void
  /** Called when saved files restart it and the restart takes long. */
  reloading(files: readonly string[]): void
  reloaded(files: readonly string[], durationMs: number, url: string): void
  /** Called for files that change at every start, before it responds. */
  restless(files: readonly string[]): void
  /** Called when it exited without being stopped. */
  ended(end: RunEnd, answered: boolean): void
  /** Called when Ctrl-C stopped it. */
  stopped(): void
  /** Called when it cannot be started. */
  refused(message: string, remedy: string): void
}

export const textDevView = (io: Pick<CommandIo, 'stdout' | 'env'>): DevView => {
  const styles = stylesFor(io.stdout, io.env)
  const { accent, dim, error, warning } = styles
  const line = (text: string) => io.stdout.write(`${text}\n`)
  const because = (files: readonly string[]) => dim(`  (${namesOf(files)})`)
  return {
    started: () => line(dim('Watching for changes; press Ctrl-C to stop.')),
    console: address =>
      line(`${accent('Console')}  ${address}  ${dim(asCalled('sibyl console opens it signed in', io.env))}`),
    consoleCode: code => line(`Type this code in the console: ${code}`),
    reloading: files => line(dim(`reloading …  (${namesOf(files)})`)),
    reloaded: (files, durationMs) => line(`${accent(`reloaded in ${formatTenths(durationMs)}`)}${because(files)}`),
    restless: files =>
      line(
        `${warning('repeatedly')}  ${namesOf(files)}\n  If the oracle writes this file, write it outside of its sources: .data`,
      ),
    stopped: () => line(dim(asCalled('Stopped. sibyl dev starts the oracle again. Goodbye.', io.env))),
    ended: (end, answered) => line(`${error(answered ? 'ended' : 'not started')} ${endText(end, styles)}`),
    refused: (message, remedy) => line(`${error('not started')}  ${message}\n  ${remedy}`),
  }
}

const endText = (end: RunEnd, { dim }: Styles): string =>
  dim(`(${typeof end === 'number' ? `exit code ${end}` : end}); the next save restarts it`)

/** `0.4 s`: readable for a user; JSON output has milliseconds. */
const formatTenths = (milliseconds: number): string =>
  milliseconds < 9_950 ? `${(milliseconds / 1_000).toFixed(1)} s` : formatSeconds(milliseconds)

/** `src/a.ts`, `src/a.ts and 2 more` */
const namesOf = ([first = '', ...others]: readonly string[]): string =>
  cleanLine(first) + (others.length > 0 ? ` and ${others.length} more` : '')

export const jsonDevView = (stdout: OutputStream): DevView => {
  const report = (event: Readonly<Record<string, unknown>>) => stdout.write(`${safeJson(event)}\n`)
  return {
    started: url => report({ type: 'started', url }),
    // Scripts have the address of the oracle.
    console: () => undefined,
    consoleCode: () => undefined,
    reloading: files => report({ type: 'reloading', files }),
    reloaded: (files, durationMs, url) => report({ type: 'reloaded', files, durationMs: Math.round(durationMs), url }),
    restless: files => report({ type: 'restless', files }),
    stopped: () => undefined,
    ended: (end, answered) => report({ type: answered ? 'ended' : 'not-started', end }),
    refused: (message, remedy) => report({ type: 'not-started', message, remedy }),
  }
}
