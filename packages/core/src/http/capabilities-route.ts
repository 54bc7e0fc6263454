import { z } from '@hono/zod-openapi'
import { type CapabilityRecord, capabilityRecord } from '@sibyl/protocol'
import { defineRoute, type Route } from '../plugins/route.ts'
import { authenticated } from './route-answers.ts'

/** `GET /capabilities`: every plugin and capability with its state, tools and token cost. */
export const capabilitiesRoute = (list: () => CapabilityRecord[]): Route =>
  defineRoute(
    { ucan: 'session/read' },
    {
      method: 'get',
      path: '/capabilities',
      tags: ['Oracle'],
      summary: 'What this oracle can do, and in what state each part is',
      responses: {
        200: {
          description: 'The capabilities',
          content: { 'application/json': { schema: z.object({ capabilities: z.array(capabilityRecord) }) } },
        },
        ...authenticated,
      },
    },
    c => c.json({ capabilities: list() }, 200),
  )
