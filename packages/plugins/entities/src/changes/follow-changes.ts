import { setImmediate as othersFirst } from 'node:timers/promises'
import type { RightEnd } from '../access/acting.ts'
import type { ChangeFilters } from '../storage/entities-tables.ts'
import { type Change, type ChangePosition, changeRecordOf, matchesFilters, positionText } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { ChangeSignal } from './change-signal.ts'

export interface FollowDependencies {
  readonly feed: ChangeFeed
  readonly signal: ChangeSignal
  /** Maximum pause between two reads, in milliseconds; writes of other processes send no signal here. */
  readonly lookMs: number
  /** Maximum time without any output, in milliseconds. */
  readonly heartbeatMs: number
  /** Maximum duration of a connection, in milliseconds; then the client authenticates again. */
  readonly lifeMs: number
}

/** Delay after which a disconnected client connects again, in milliseconds. */
const retryMs = 1_000

/**
 * Yields the changes after a position as server-sent events until `ended` aborts or the time is over. A heartbeat also advances the client's
 * `Last-Event-ID` past changes that its filters exclude. Once the client's right has ended, only the reason is sent.
 *
 * @param rightEnd Returns why the client's right has ended. @default it never ends
 */
export async function* followChanges(
  parts: FollowDependencies,
  filters: ChangeFilters,
  from: ChangePosition,
  ended: AbortSignal,
  rightEnd: () => Promise<RightEnd | undefined> = async () => undefined,
): AsyncGenerator<string, void> {
  const { feed, signal, lookMs, heartbeatMs, lifeMs } = parts
  const beganAt = performance.now()
  let after = from
  let sentAt = beganAt
  yield `retry: ${retryMs}\n${idLine(after)}\n`
  while (!ended.aborted && performance.now() - beganAt < lifeMs) {
    const untilHeartbeat = Math.max(0, sentAt + heartbeatMs - performance.now())
    const next = signal.next(Math.min(lookMs, untilHeartbeat), ended)
    const { changes, isFull } = await feed.read(after)
    after = changes.at(-1)?.position ?? after
    const text = changes
      .filter(change => matchesFilters(filters, change))
      .map(frameOf)
      .join('')
    const isDue = performance.now() - sentAt >= heartbeatMs
    if (text !== '' || isDue) {
      const end = await rightEnd()
      if (end) {
        yield `event: ended\ndata: ${JSON.stringify({ code: end.code, detail: end.detail })}\n\n`
        return
      }
      sentAt = performance.now()
      yield text === '' ? `: ping\n${idLine(after)}\n` : text
    }
    await (isFull ? othersFirst() : next)
  }
}

const idLine = (position: ChangePosition): string => `id: ${positionText(position)}\n`

const frameOf = (change: Change): string =>
  `${idLine(change.position)}data: ${JSON.stringify(changeRecordOf(change))}\n\n`
