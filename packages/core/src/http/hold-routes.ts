import { z } from '@hono/zod-openapi'
import { isoTime, type Logger, type Route } from '@sibyl/plugin'
import type { Hold, HoldStore } from '../people/hold-store.ts'
import { coreRoute } from './core-route.ts'
import { personParams } from './person-params.ts'

export interface HoldRoutesDependencies {
  readonly holds: HoldStore
  readonly now: () => number
  readonly log: Pick<Logger, 'info'>
}

const holdRecord = z.object({
  reason: z.string(),
  heldAt: z.iso.datetime(),
  heldBy: z.string().meta({ description: 'The DID of the operator' }),
  releasedAt: z.iso.datetime().optional(),
  releasedBy: z.string().optional(),
})

const tags = ['Personal data']

/** Routes of the operator for legal holds. */
export const holdRoutes = ({ holds, now, log }: HoldRoutesDependencies): Route[] => [
  coreRoute.get(
    '/people/{person}/holds',
    {
      auth: 'operator',
      tags,
      summary: 'List the legal holds of a person, the newest first',
      params: personParams,
      ok: { 200: { description: 'The latest 100 holds', schema: z.object({ holds: z.array(holdRecord) }) } },
    },
    async c => c.json({ holds: (await holds.list(c.req.valid('param').person)).map(recordOf) }, 200),
  ),
  coreRoute.put(
    '/people/{person}/hold',
    {
      auth: 'operator',
      tags,
      summary: 'Place a legal hold on a person',
      description:
        'While it lasts, no retention deletes the rows of the person, and an erasure answers 409 `person_held`. A second hold changes nothing.',
      params: personParams,
      body: z.strictObject({ reason: z.string().trim().min(1).max(1_000) }),
      ok: { 200: { description: 'The hold', schema: holdRecord } },
    },
    async c => {
      const { did } = c.get('actor')
      const place = {
        did: c.req.valid('param').person,
        reason: c.req.valid('json').reason,
        held_by: did,
        held_at: now(),
      }
      const hold = await holds.place(place)
      log.info('the operator placed a legal hold on a person', { by: did })
      return c.json(recordOf(hold), 200)
    },
  ),
  coreRoute.delete(
    '/people/{person}/hold',
    {
      auth: 'operator',
      tags,
      summary: 'Release the legal hold of a person',
      description: 'The hold stays in the list. Without one, nothing changes.',
      params: personParams,
      ok: { 204: { description: 'Released' } },
    },
    async c => {
      const { did } = c.get('actor')
      if (await holds.release(c.req.valid('param').person, did, now()))
        log.info('the operator released the legal hold of a person', { by: did })
      return c.body(null, 204)
    },
  ),
]

const recordOf = ({ reason, held_at, held_by, released_at, released_by }: Hold): z.output<typeof holdRecord> => ({
  reason,
  heldAt: isoTime(held_at),
  heldBy: held_by,
  ...(released_at === null ? {} : { releasedAt: isoTime(released_at) }),
  ...(released_by === null ? {} : { releasedBy: released_by }),
})
