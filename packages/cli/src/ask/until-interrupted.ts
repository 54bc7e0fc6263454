import type { CommandIo } from '../command-io.ts'
import { InterruptedError } from '../errors/interrupted-error.ts'

/**
 * Does work that a Ctrl-C, or whatever ends the command, cuts short. Work that does not heed the signal goes on unheard.
 *
 * @param work Is given a signal that is aborted then.
 * @throws InterruptedError (`interrupted`) when it was cut short
 */
export const untilInterrupted = async <Result>(
  io: CommandIo,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const interrupted = Promise.withResolvers<never>()
  const interrupt = () => {
    interrupted.reject(new InterruptedError('Interrupted.', ''))
    controller.abort()
  }
  const releases = [io.onInterrupt(interrupt), io.onTermination(interrupt)]
  try {
    return await Promise.race([interrupted.promise, work(controller.signal)])
  } finally {
    for (const release of releases) release()
  }
}
