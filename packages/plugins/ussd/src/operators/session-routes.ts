import { defineRoute, type Route } from '@sibyl/plugin'
import { z } from 'zod'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { SessionEngine } from '../sessions/session-engine.ts'

import type { OperatorLock } from './operator-lock.ts'
import { operatorRoute } from './operator-route.ts'

/** The most ids of active sessions in one answer. */
const maxIds = 10_000

const activeSessions = z
  .array(z.string())
  .meta({ description: `Active session ids, the newest first, at most ${maxIds}` })

const debugRecord = z.object({
  sessionId: z.string(),
  debugInfo: z.object({
    state: z.string().meta({ description: 'The screen that the phone shows', example: 'preMenu' }),
    context: z.object({
      sessionId: z.string(),
      phoneNumber: z.string(),
      message: z.string().meta({ description: 'The text last shown' }),
      isAuthenticated: z.boolean().meta({ description: 'Whether somebody is signed in' }),
    }),
    status: z.string().meta({ example: 'active' }),
  }),
  activeSessions,
})

const sessionsRecord = z.object({
  activeSessions,
  count: z.number().int().meta({ description: 'How many sessions are active' }),
})

const { json, problem, refusals } = operatorRoute

/** `GET /api/ussd/debug/{sessionId}` and `GET /api/ussd/sessions`, for the operator. */
export const sessionRoutes = (engine: SessionEngine, lock: OperatorLock): Route[] => [
  defineRoute(
    'own',
    {
      method: 'get',
      path: '/api/ussd/debug/{sessionId}',
      summary: 'Where a session stands',
      description:
        'For the operator, with `USSD_OPERATOR_TOKEN` as bearer; open in development while no token is set. Of several sessions ' +
        'with one id, the newest active one.',
      request: {
        params: z.object({
          sessionId: z.string().max(200).meta({ description: "The network session's id", example: 'ATUid_8f14e45f' }),
        }),
      },
      responses: {
        200: json('The session', debugRecord),
        ...refusals,
        404: problem('`session_not_found`'),
      },
    },
    async c => {
      const view = await engine.find(c.req.valid('param').sessionId)
      if (view === undefined) throw ussdErrors.session_not_found()
      const { sessionId, phoneNumber, state, message, isAuthenticated, status } = view
      const { ids } = await engine.list(maxIds)
      const debugInfo = { state, context: { sessionId, phoneNumber, message, isAuthenticated }, status }
      return c.json({ sessionId, debugInfo, activeSessions: [...ids] }, 200)
    },
    operatorRoute.behind(lock),
  ),
  defineRoute(
    'own',
    {
      method: 'get',
      path: '/api/ussd/sessions',
      summary: 'The sessions that are active',
      description: 'For the operator, with `USSD_OPERATOR_TOKEN` as bearer; open in development while no token is set.',
      responses: {
        200: json('Their ids and their number', sessionsRecord),
        ...refusals,
      },
    },
    async c => {
      const { ids, count } = await engine.list(maxIds)
      return c.json({ activeSessions: [...ids], count }, 200)
    },
    operatorRoute.behind(lock),
  ),
]
