import type { Route } from '@sibyl/plugin'
import { healthRecord } from '@sibyl/protocol'
import type { z } from 'zod'
import { skewSeconds } from '../auth/make-authentication.ts'
import { type StatusRecord, statusRecord } from '../records/oracle-records.ts'
import { coreRoute } from './core-route.ts'

export interface HealthParts {
  readonly name: string
  readonly environment: string
  /** Whether the database responds. */
  readonly ping: () => Promise<boolean>
  /** Whether its file is being checked. */
  readonly checking: () => boolean
  /** The lead of the clock of this process over that of the database. */
  readonly clockOffsetMs: () => number
  /** Returns the path of the page that browsers are led to; undefined for none. */
  readonly homePage: () => string | undefined
  /** Whether the oracle is shutting down, so that load balancers stop sending requests. */
  readonly stopping: () => boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** `GET /` for platform probes and `GET /health` with the state of the database. */
export const healthRoutes = ({ name, environment, homePage, stopping, now, ...parts }: HealthParts): Route[] => {
  const ping = oneAtATime(parts.ping)
  return [
    coreRoute.get(
      '/',
      {
        auth: 'public',
        tags: ['Oracle'],
        summary: 'Liveness check',
        ok: {
          200: { description: 'It runs', schema: statusRecord },
          303: { description: 'In development, for a browser: the console' },
        },
        rateLimit: false,
      },
      c => {
        const page = homePage()
        if (page !== undefined && prefersHtml(c.req.header('accept'))) {
          return new Response(null, { status: 303, headers: { location: page.slice(1), vary: 'accept' } })
        }
        const record: StatusRecord = {
          status: 'ok',
          message: `${name} is running`,
          environment,
          timestamp: new Date(now()).toISOString(),
        }
        return c.json(record, 200)
      },
    ),
    coreRoute.get(
      '/health',
      {
        auth: 'public',
        tags: ['Oracle'],
        summary: 'Health check with the state of the database',
        ok: {
          200: { description: 'Healthy', schema: healthRecord },
          503: {
            description: 'The database does not respond, the clock is wrong, or the oracle is stopping',
            schema: healthRecord,
          },
        },
        rateLimit: false,
      },
      async c => {
        const connected = await ping()
        const clock = clockProblem(parts.clockOffsetMs() / 1_000)
        const record: z.infer<typeof healthRecord> = {
          status: stopping() ? 'stopping' : connected && !clock ? 'ok' : 'degraded',
          environment,
          timestamp: new Date(now()).toISOString(),
          uptime: process.uptime(),
          database: connected ? 'connected' : 'disconnected',
          ...(clock ? { clock } : {}),
          ...(parts.checking() ? { check: 'running' } : {}),
        }
        return c.json(record, record.status === 'ok' ? 200 : 503)
      },
    ),
  ]
}

/** Returns what is wrong with a clock that differs by more than invocations may; undefined if it does not. */
const clockProblem = (aheadSeconds: number): string | undefined => {
  if (Math.abs(aheadSeconds) <= skewSeconds) return undefined
  const offset = `${Math.round(Math.abs(aheadSeconds))} s ${aheadSeconds < 0 ? 'behind' : 'ahead of'}`
  return `The clock of this computer is ${offset} that of the database, so valid invocations are rejected. Synchronize it.`
}

/** Shares one running check among concurrent requests: the route is public and not limited. */
const oneAtATime = <Answer>(ask: () => Promise<Answer>): (() => Promise<Answer>) => {
  let underWay: Promise<Answer> | undefined
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

/** Returns whether a request comes from a browser that opens a page: browsers name HTML first, programs do not. */
const prefersHtml = (accept = ''): boolean => accept.trimStart().startsWith('text/html')
