import type { CommandIo } from '../command-io.ts'
import { cliErrors } from '../errors/cli-errors.ts'

/** Ctrl-C, or whatever ends the command, told to work that looks. */
export interface Interruption {
  /** Aborted then, with an `interrupted` as its reason. */
  readonly signal: AbortSignal
  /** Listens no longer. */
  release(): void
}

/** Listens from now on; until the release nothing else ends the command at a Ctrl-C. */
export const listenForInterruption = (io: CommandIo): Interruption => {
  const controller = new AbortController()
  const interrupt = () => controller.abort(cliErrors.interrupted('Interrupted.', ''))
  const releases = [io.onInterrupt(interrupt), io.onTermination(interrupt)]
  return {
    signal: controller.signal,
    release() {
      for (const release of releases) release()
    },
  }
}
