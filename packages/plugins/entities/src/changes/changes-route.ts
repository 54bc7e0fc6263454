import { type Actor, type Host, type Logger, type Places, type Route, route, sseResponse } from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess, rightEndOf } from '../access/acting.ts'
import { entitiesErrors, tooManyFollowers } from '../errors/entities-errors.ts'
import { changeFilters } from '../records/webhook-records.ts'
import { type ChangePosition, changeRecord, isAfter, parsePosition } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import { type FollowDependencies, followChanges } from './follow-changes.ts'

/** Maximum number of connections that follow changes in this process: per holder, and in total. */
export const maxFollowers = { perHolder: 20, capacity: 500 } as const

export interface ChangesRouteDependencies extends FollowDependencies {
  readonly limits: Pick<Host['limits'], 'places'>
  readonly grants: Host['grants']
  /** Aborts when the oracle begins to shut down. */
  readonly ending: AbortSignal
  readonly log: Logger
}

/** Creates `GET /v1/changes`: the changes of entities as server-sent events. */
export const changesRoute = (parts: ChangesRouteDependencies): Route => {
  const places = parts.limits.places(maxFollowers)
  return route.get(
    '/v1/changes',
    {
      auth: entitiesAccess('read'),
      summary: 'Follow changes of entities as server-sent events',
      description:
        "One event per change, in an order that never changes. `Last-Event-ID` continues after that event without loss; `0-0` starts with the first change; without it, the stream starts with the next change. A heartbeat is sent every 15 seconds; a connection lasts at most 15 minutes. When the caller's right ends, the stream ends with an event `ended` and a `code`: `grant_revoked`, `grant_expired` or `grant_removed`.",
      query: changeFilters,
      headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
      ok: { 200: { description: 'The changes', content: { 'text/event-stream': { schema: changeRecord } } } },
      errors: [
        entitiesErrors.event_id_invalid,
        entitiesErrors.scope_missing,
        entitiesErrors.too_many_followers,
        { code: 'rate_limited', status: 429 },
      ],
    },
    async c => {
      const actor = c.get('actor') as Actor
      actingAs(actor, 'read')
      if (c.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
      const from = await startOf(parts.feed, c.req.header('last-event-id'))
      const follower = admit(places, parts.ending, actor)
      const rightEnd = () => rightEndOf(parts.grants, actor, 'read')
      const frames = followChanges(parts, c.req.valid('query'), from, follower.ended, rightEnd)
      return sseResponse(c, untilEnd(frames, follower.leave, parts.log), follower.leave)
    },
  )
}

/** Yields frames until they end or fail; the client connects again. */
async function* untilEnd(frames: AsyncGenerator<string>, leave: () => void, log: Logger): AsyncGenerator<string> {
  try {
    yield* frames
  } catch (error) {
    log.warn('a follower of changes was disconnected', { error })
  } finally {
    leave()
  }
}

const startOf = async (feed: ChangeFeed, lastEventId: string | undefined): Promise<ChangePosition> => {
  const tip = await feed.tip()
  if (lastEventId === undefined || lastEventId === '') return tip
  const position = parsePosition(lastEventId)
  if (!position || isAfter(position, tip)) throw entitiesErrors.event_id_invalid()
  return position
}

/**
 * Reserves a connection until it is released.
 *
 * @throws `too_many_followers`
 */
const admit = (places: Places, ending: AbortSignal, actor: Actor) => {
  const place = places.take(actor)
  if ('full' in place) throw tooManyFollowers(place.full)
  const ended = new AbortController()
  const end = () => ended.abort()
  ending.addEventListener('abort', end)
  if (ending.aborted) end()
  const leave = () => {
    ending.removeEventListener('abort', end)
    place.release()
    end()
  }
  return { ended: ended.signal, leave }
}
