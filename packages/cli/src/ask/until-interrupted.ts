import { cliErrors } from '../errors/cli-errors.ts'
import { type CommandIo, onStop } from '../process/command-io.ts'

/** Notification of Ctrl-C or another request to end the command. */
interface Interruption {
  /** Aborted on the request, with an `interrupted` as its reason. */
  readonly signal: AbortSignal
  release(): void
}

/** Handles Ctrl-C from now on; until the release, Ctrl-C does not end the command otherwise. */
export const listenForInterruption = (io: CommandIo): Interruption => {
  const controller = new AbortController()
  const interrupt = () => controller.abort(cliErrors.interrupted('Interrupted.', ''))
  return { signal: controller.signal, release: onStop(io, interrupt) }
}

/**
 * Runs work that Ctrl-C or another request to end interrupts. Work that ignores the signal continues in the background.
 *
 * @param work Receives a signal that is aborted on the request.
 * @throws `interrupted` when it was interrupted
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
