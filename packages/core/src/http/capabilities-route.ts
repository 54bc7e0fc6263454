import { z } from '@hono/zod-openapi'
import type { Route } from '@sibyl/plugin'
import { type CapabilityRecord, capabilityRecord } from '@sibyl/protocol'
import { type AdapterRecord, adapterRecord } from '../records/oracle-records.ts'
import { coreRoute } from './core-route.ts'

/** The response of `GET /capabilities`. */
export interface CapabilitiesAnswer {
  readonly capabilities: CapabilityRecord[]
  readonly adapters: AdapterRecord[]
}

/** `GET /capabilities`: every plugin and capability with its state, tools and token cost, and the adapters. */
export const capabilitiesRoute = (list: (forWhom: 'operator' | 'public') => CapabilitiesAnswer): Route =>
  coreRoute.get(
    '/capabilities',
    {
      auth: { ucan: 'session/read', orOperator: true },
      tags: ['Oracle'],
      summary: 'List the capabilities of this oracle and their states',
      description:
        'Every plugin and capability: working, starting, failed, or disabled; and the adapters for existing clients. ' +
        'With the operator token instead of an invocation, reasons name variables and errors.',
      ok: {
        200: {
          description: 'The capabilities',
          schema: z.object({ capabilities: z.array(capabilityRecord), adapters: z.array(adapterRecord) }),
        },
      },
    },
    c => c.json(list(c.get('actor')?.via === 'operator' ? 'operator' : 'public'), 200),
  )
