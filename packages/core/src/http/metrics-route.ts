import { z } from '@hono/zod-openapi'
import type { Route } from '@sibyl/plugin'
import type { MetricsRegistry } from '@sibyl/telemetry'
import { coreRoute } from './core-route.ts'

/** The media type of Prometheus' text format. */
const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** `GET /metrics`, for Prometheus of the operator. */
export const metricsRoute = (registry: MetricsRegistry): Route =>
  coreRoute.get(
    '/metrics',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Metrics of this process, in the Prometheus text format',
      ok: { 200: { description: 'The metrics', content: { 'text/plain': { schema: z.string() } } } },
    },
    async c => c.text(await registry.text(), 200, { 'content-type': textFormat }),
  )
