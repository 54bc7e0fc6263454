import { z } from '@hono/zod-openapi'
import type { MetricsRegistry } from '@sibyl/telemetry'
import { defineRoute, type Route } from '../plugins/route.ts'
import { authenticated } from './route-answers.ts'

/** The media type of Prometheus' text format. */
const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** `GET /metrics`, for the operator's Prometheus. */
export const metricsRoute = (registry: MetricsRegistry): Route =>
  defineRoute(
    'operator',
    {
      method: 'get',
      path: '/metrics',
      tags: ['Operator'],
      summary: "What this process counted, in Prometheus' text format",
      responses: {
        200: { description: 'The metrics', content: { 'text/plain': { schema: z.string() } } },
        401: authenticated[401],
      },
    },
    async c => c.text(await registry.text(), 200, { 'content-type': textFormat }),
  )
