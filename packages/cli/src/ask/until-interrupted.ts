import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandIo } from '../process/command-io.ts'

/** Ctrl-C, or whatever ends the command, told to work that looks. */
interface Interruption {
  /** Aborted then, with an `interrupted` as its reason. */
  readonly signal: AbortSignal
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

/**
 * Does work that a Ctrl-C, or whatever ends the command, cuts short. Work that does not heed the signal goes on unheard.
 *
 * @param work Is given a signal that is aborted then.
 * @throws `interrupted` when it was cut short
 */
export const untilInterrupted = async <Result>(
  io: CommandIo,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const { signal, release } = listenForInterruption(io)
  const interrupted = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => interrupted.reject(signal.reason), { once: true })
  try {
    return await Promise.race([interrupted.promise, work(signal)])
  } finally {
    release()
  }
}
