import { type Actor, defineRoute, type Logger, type Route } from '@sibyl/core'
import { z } from 'zod'
import { actingAs, entitiesAccess } from '../access/acting.ts'
import { answers } from '../records/route-answers.ts'
import type { ChangeFeed } from './change-feed.ts'
import { changeFilters } from './change-filters.ts'
import { type ChangePosition, isAfter, parsePosition } from './change-position.ts'
import { changeRecord } from './change-record.ts'
import { EventIdInvalid, TooManyFollowers } from './changes-errors.ts'
import { type FollowParts, followChanges, streamOf } from './follow-changes.ts'

/** How many connections of one DID follow at once, and of all in this process. */
export const maxFollowers = { ofDid: 20, ofAll: 500 } as const

/** What the route rests on. */
export interface ChangesRouteParts extends FollowParts {
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
  const followers = new Followers(parts.ending)
  return defineRoute(
    entitiesAccess('read'),
    {
      method: 'get',
      path: '/v1/changes',
      summary: 'Follow the changes of entities, as server-sent events',
      description:
        'One event a change, in an order that never changes. `Last-Event-ID` goes on after that event without loss; `0-0` begins with the first change, and without it the next change is the first. Something is sent every 15 seconds; a connection lasts 15 minutes.',
      request: {
        query: changeFilters,
        headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
      },
      responses: {
        200: { description: 'The changes', content: { 'text/event-stream': { schema: changeRecord } } },
        400: answers.problem('`input_invalid`, `event_id_invalid`'),
        403: answers.problem('`scope_missing`'),
        429: answers.problem('`too_many_followers`; `rate_limited`'),
      },
    },
    async c => {
      const actor = c.get('actor') as Actor
      actingAs(actor, 'read')
      if (c.req.method === 'HEAD') return new Response(null, { headers }) as never
      const from = await startOf(parts.feed, c.req.header('last-event-id'))
      const follower = followers.admit(actor.did)
      const texts = followChanges(parts, c.req.valid('query'), from, follower.ended)
      const onEnd = (error?: unknown) => {
        follower.leave()
        if (error !== undefined) parts.log.warn('somebody who followed changes was cut off', { error })
      }
      return new Response(streamOf(texts, onEnd), { headers }) as never
    },
  )
}

const startOf = async (feed: ChangeFeed, lastEventId: string | undefined): Promise<ChangePosition> => {
  const tip = await feed.tip()
  if (lastEventId === undefined || lastEventId === '') return tip
  const position = parsePosition(lastEventId)
  if (!position || isAfter(position, tip)) throw new EventIdInvalid()
  return position
}

/** Who follows now. */
class Followers {
  readonly #ending: AbortSignal
  readonly #open = new Map<AbortController, string>()

  constructor(ending: AbortSignal) {
    this.#ending = ending
    ending.addEventListener('abort', () => {
      for (const controller of this.#open.keys()) controller.abort()
    })
  }

  /** @throws TooManyFollowers `too_many_followers` */
  admit(did: string): { readonly ended: AbortSignal; readonly leave: () => void } {
    const own = [...this.#open.values()].filter(other => other === did).length
    if (own >= maxFollowers.ofDid || this.#open.size >= maxFollowers.ofAll) throw new TooManyFollowers()
    const controller = new AbortController()
    if (this.#ending.aborted) controller.abort()
    this.#open.set(controller, did)
    const leave = () => {
      this.#open.delete(controller)
      controller.abort()
    }
    return { ended: controller.signal, leave }
  }
}
