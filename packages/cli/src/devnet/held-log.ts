import type { Logger } from '@sibyl/plugin'
import { cleanLine } from '../output/clean-text.ts'
import type { OutputStream } from '../process/command-io.ts'

/** A log that tells warnings and errors, one line each and without their facts, and only from its release on. */
interface HeldLog {
  readonly logger: Logger
  /** Tells what was held, and from now on everything at once. */
  release(): void
}

/** Makes one; what it never releases nobody reads, as of a boot whose failure is told in other words. */
export const heldLog = (stream: OutputStream): HeldLog => {
  let held: string[] | undefined = []
  const nothing = () => {}
  const tell = (message: string) => {
    const line = `sibyl: ${cleanLine(message)}\n`
    if (held) held.push(line)
    else stream.write(line)
  }
  const logger: Logger = {
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: tell,
    error: tell,
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
