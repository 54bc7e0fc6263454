import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { SessionEngine } from '../sessions/session-engine.ts'
import { type OperatorLock, operatorErrors } from './operator-lock.ts'

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
      isAuthenticated: z.boolean().meta({ description: 'Whether a customer is signed in' }),
    }),
    status: z.string().meta({ example: 'active' }),
  }),
  activeSessions,
})

const sessionsRecord = z.object({
  activeSessions,
  count: z.number().int().meta({ description: 'How many sessions are active' }),
})

const access = 'For the operator, with `USSD_OPERATOR_TOKEN` as bearer; open in development while no token is set.'

/** Returns `GET /api/ussd/debug/{sessionId}` and `GET /api/ussd/sessions` for operators. */
export const sessionRoutes = (engine: SessionEngine, lock: OperatorLock): Route[] => [
  route.get(
    '/api/ussd/debug/{sessionId}',
    {
      auth: 'own',
      summary: 'Where a session stands',
      description: `${access} Of several sessions with one id, the newest active one.`,
      params: z.object({
        sessionId: z.string().max(200).meta({ description: "The network session's id", example: 'ATUid_8f14e45f' }),
      }),
      ok: { 200: { description: 'The session', schema: debugRecord } },
      errors: [...operatorErrors, ussdErrors.session_not_found],
      ...lock,
    },
    async c => {
      const view = await engine.find(c.req.valid('param').sessionId)
      if (view === undefined) throw ussdErrors.session_not_found()
      const { sessionId, phoneNumber, state, message, isAuthenticated, status } = view
      const { ids } = await engine.list(maxIds)
      const debugInfo = { state, context: { sessionId, phoneNumber, message, isAuthenticated }, status }
      return c.json({ sessionId, debugInfo, activeSessions: ids })
    },
  ),
  route.get(
    '/api/ussd/sessions',
    {
      auth: 'own',
      summary: 'The sessions that are active',
      description: access,
      ok: { 200: { description: 'Their ids and their number', schema: sessionsRecord } },
      errors: operatorErrors,
      ...lock,
    },
    async c => {
      const { ids, count } = await engine.list(maxIds)
      return c.json({ activeSessions: ids, count })
    },
  ),
]
