import type { CommandIo } from '../command-io.ts'
import { listenForInterruption } from './interruption.ts'

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
