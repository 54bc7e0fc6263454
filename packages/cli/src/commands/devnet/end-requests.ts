import { type CommandIo, onStop } from '../../process/command-io.ts'

/** Requests to stop, by Ctrl-C or by a supervisor. */
export interface EndRequests {
  readonly first: Promise<void>
  readonly second: Promise<void>
  release(): void
}

/**
 * Handles requests to stop from now on.
 *
 * @param echoMs A request this soon after the first is a duplicate. @default 0
 */
export const endRequests = (io: CommandIo, echoMs = 0): EndRequests => {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let next = first
  let firstAt: number | undefined
  const request = () => {
    if (firstAt !== undefined && io.now() - firstAt < echoMs) return
    firstAt ??= io.now()
    next.resolve()
    next = second
  }
  return { first: first.promise, second: second.promise, release: onStop(io, request) }
}
