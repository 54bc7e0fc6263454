import type { Logger } from '@sibyl/plugin'
import { cleanLine } from '../output/clean-text.ts'
import type { OutputStream } from '../process/command-io.ts'

/** A log of warnings and errors, one line each and without their fields, which is buffered until its release. */
interface BufferedLog {
  readonly logger: Logger
  /** Writes the buffered lines, and all later ones at once. */
  release(): void
}

/** Creates one. Lines that are never released are lost, as in a boot whose failure is reported otherwise. */
export const bufferedLog = (stream: OutputStream): BufferedLog => {
  let held: string[] | undefined = []
  const nothing = () => {}
  const report = (message: string) => {
    const line = `sibyl: ${cleanLine(message)}\n`
    if (held) held.push(line)
    else stream.write(line)
  }
  const logger: Logger = {
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: report,
    error: report,
    child: () => logger,
  }
  return {
    logger,
    release() {
      for (const line of held ?? []) stream.write(line)
      held = undefined
    },
  }
}
