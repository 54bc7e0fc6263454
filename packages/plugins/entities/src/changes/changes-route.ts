import {
  type Actor,
  type HostGrants,
  type HostLimits,
  type Logger,
  type Place,
  type Places,
  type Route,
  route,
} from '@sibyl/plugin'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { rightEndOf } from '../access/right-end.ts'
import { entitiesErrors } from '../entities-errors.ts'
import type { ChangeFeed } from './change-feed.ts'
import { changeFilters } from './change-filters.ts'
import { type ChangePosition, isAfter, parsePosition } from './change-position.ts'
import { changeRecord } from './change-record.ts'
import { TooManyFollowers } from './changes-errors.ts'
import { type FollowParts, followChanges, streamOf } from './follow-changes.ts'

/** How many connections follow at once in this process: of one holder, and of all. */
export const maxFollowers = { perHolder: 20, capacity: 500 } as const

/** What the route rests on. */
export interface ChangesRouteParts extends FollowParts {
  readonly limits: Pick<HostLimits, 'places'>
  readonly grants: HostGrants
  /** Aborts when the oracle begins to end. */
  readonly ending: AbortSignal
  readonly log: Logger
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** `GET /v1/changes`: the changes of entities as server-sent events. */
export const changesRoute = (parts: ChangesRouteParts): Route => {
  const followers = new Followers(parts.limits.places(maxFollowers), parts.ending)
  return route.get(
    '/v1/changes',
    {
      auth: entitiesAccess('read'),
      summary: 'Follow the changes of entities, as server-sent events',
      description:
        "One event a change, in an order that never changes. `Last-Event-ID` goes on after that event without loss; `0-0` begins with the first change, and without it the next change is the first. Something is sent every 15 seconds; a connection lasts 15 minutes. It ends earlier with an event `ended` and its `code` when the caller's right ends: `grant_revoked`, `grant_expired`, `grant_removed`.",
      query: changeFilters,
      headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
      ok: { 200: { description: 'The changes', content: { 'text/event-stream': { schema: changeRecord } } } },
      errors: [
        entitiesErrors.event_id_invalid,
        entitiesErrors.scope_missing,
        { code: 'too_many_followers', status: 429 },
        { code: 'rate_limited', status: 429 },
      ],
    },
    async c => {
      const actor = c.get('actor') as Actor
      actingAs(actor, 'read')
      if (c.req.method === 'HEAD') return new Response(null, { headers })
      const from = await startOf(parts.feed, c.req.header('last-event-id'))
      const follower = followers.admit(actor)
      const rightEnd = () => rightEndOf(parts.grants, actor, 'read')
      const texts = followChanges(parts, c.req.valid('query'), from, follower.ended, rightEnd)
      const onEnd = (error?: unknown) => {
        follower.leave()
        if (error !== undefined) parts.log.warn('somebody who followed changes was cut off', { error })
      }
      return new Response(streamOf(texts, onEnd), { headers })
    },
  )
}

const startOf = async (feed: ChangeFeed, lastEventId: string | undefined): Promise<ChangePosition> => {
  const tip = await feed.tip()
  if (lastEventId === undefined || lastEventId === '') return tip
  const position = parsePosition(lastEventId)
  if (!position || isAfter(position, tip)) throw entitiesErrors.event_id_invalid()
  return position
}

/** Who follows now. */
class Followers {
  readonly #places: Places
  readonly #ending: AbortSignal
  readonly #open = new Map<AbortController, Place>()

  constructor(places: Places, ending: AbortSignal) {
    this.#places = places
    this.#ending = ending
    ending.addEventListener('abort', () => {
      for (const controller of this.#open.keys()) controller.abort()
    })
  }

  /** @throws TooManyFollowers `too_many_followers` */
  admit(actor: Actor): { readonly ended: AbortSignal; readonly leave: () => void } {
    const place = this.#places.take(actor)
    if ('full' in place) throw new TooManyFollowers(place.full)
    const controller = new AbortController()
    if (this.#ending.aborted) controller.abort()
    this.#open.set(controller, place)
    const leave = () => {
      place.release()
      this.#open.delete(controller)
      controller.abort()
    }
    return { ended: controller.signal, leave }
  }
}
