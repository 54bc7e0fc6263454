import type { CommandIo } from '../../command-io.ts'

/** Requests to end, by Ctrl-C or by whatever supervises the command. */
export interface EndRequests {
  readonly first: Promise<void>
  readonly second: Promise<void>
  /** Listens no longer. */
  release(): void
}

/** Listens for requests to end, from now on. */
export const endRequests = (io: CommandIo): EndRequests => {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let next = first
  const request = () => {
    next.resolve()
    next = second
  }
  const releases = [io.onInterrupt(request), io.onTermination(request)]
  return {
    first: first.promise,
    second: second.promise,
    release() {
      for (const release of releases) release()
    },
  }
}
