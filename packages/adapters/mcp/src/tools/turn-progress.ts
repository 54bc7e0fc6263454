import type { TurnEvent } from '@sibyl/plugin/host'
import type { Caller } from '../turns/caller.ts'

/** The interval of notifications while text comes, in milliseconds: they keep the client's time limit from passing. */
const textIntervalMs = 1_000

/** Returns a function that reports the events of a turn as progress notifications, if the request has a progress token. */
export const progressOf = ({ request }: Caller): ((event: TurnEvent['event']) => void) | undefined => {
  const progressToken = request._meta?.progressToken
  if (progressToken === undefined) return undefined
  let progress = 0
  let textAt = Number.NEGATIVE_INFINITY
  const notify = (message: string) => {
    progress += 1
    // A client that is gone gets none.
    void request
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {})
  }
  return event => {
    if (event.type === 'tool-input-available') notify(`Calling ${event.toolName}`)
    if (event.type === 'tool-output-available') notify('The call has a result')
    if (event.type === 'tool-output-error') notify('The call failed')
    if (event.type === 'text-delta' && performance.now() - textAt >= textIntervalMs) {
      textAt = performance.now()
      notify('Writing the answer')
    }
  }
}
