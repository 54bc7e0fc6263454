import { z } from '@hono/zod-openapi'
import type { Actor } from '@sibyl/plugin'
import { retryAfter, streamTarget } from '@sibyl/plugin/host'
import { approvalDecision, chatRequest, identifier, type personFiles, type ServiceOf } from '@sibyl/protocol'
import type { Context } from 'hono'
import { readAttachments } from '../attachments/read-attachments.ts'
import { withAttachments } from '../attachments/with-attachments.ts'
import type { ReplayGuard } from '../auth/revocation-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { ReadableTurn } from '../turn/store/running-turn.ts'
import { type Refused, refusals, type TurnRefusal } from '../turn/store/turn-refusals.ts'
import { parseEventId, streamHeaders, turnResponse } from '../turn/stream/turn-stream.ts'
import type { TurnService } from '../turn/turn-service.ts'
import { refusal, replayed } from './access-policy.ts'
import type { CoreEnvironment } from './core-environment.ts'
import { coreRoute } from './core-route.ts'
import { problemResponse } from './problem-response.ts'
import { type ChatDecisions, messageMissing, readChatRequest } from './read-chat-request.ts'
import { decideAnswers, resumeAnswers, sendAnswers, stopAnswers } from './route-answers.ts'
import type { OwnedRoute } from './route-chain.ts'
import { sessionNotFound } from './session-routes.ts'

/** The longest wait for the next turn of a session. */
const maxWaitSeconds = 10

const sessionParams = z.object({ id: identifier })

export interface ChatRoutesParts {
  readonly engine: TurnService
  readonly sessions: SessionStore
  readonly replayGuard: ReplayGuard
  /** The store of attachments, if a plugin provides one. */
  readonly files: () => ServiceOf<typeof personFiles> | undefined
  /** The most bytes of the attachments of one message. */
  readonly maxAttachmentBytes: number
  readonly now: () => number
}

/** `POST /chat`, and the routes that read, stop and decide turns. */
export const chatRoutes = ({
  engine,
  sessions,
  replayGuard,
  files,
  maxAttachmentBytes,
  now,
}: ChatRoutesParts): OwnedRoute[] => {
  const send = coreRoute.post(
    '/chat',
    {
      auth: { ucan: 'chat/send' },
      tags: ['Chat'],
      summary: 'Send a message; the answer streams as server-sent events',
      description:
        'The UI message stream of the AI SDK, with an id on every event. `id` is the session; if it is missing, the oracle ' +
        'creates one. Only the last of `messages` is used. The same message id again resumes its turn. A user message with ' +
        '`messageId` replaces that message and everything after it, except answers that changed something. A message may have ' +
        'up to 10 files as `file` parts, whose `url` is a data: URL or the address of an uploaded file; together they may ' +
        'have `MAX_ATTACHMENT_MB`.',
      body: {
        required: true,
        content: { 'application/json': { schema: chatRequest, example: { message: 'What can you do?' } } },
      },
      ok: sendAnswers,
      takesFiles: true,
    },
    async c => {
      const request = readChatRequest(c.req.valid('json'))
      if ('code' in request) return problemResponse(c, request)
      if (request.kind === 'decisions') return decideAll(c, c.get('actor'), engine, replayGuard, request)
      const nonce = c.get('invocation')?.nonce
      const actor = c.get('actor')
      const { attachments } = request
      const read =
        attachments.length === 0
          ? undefined
          : await readAttachments(attachments, { files: files(), actor, maxBytes: maxAttachmentBytes, now: now() })
      const start = read ? withAttachments(request.start, read) : request.start
      const started = await engine.start({ ...start, actor, nonce })
      return answer(c, started)
    },
  )
  const resume = coreRoute.get(
    '/chat/{id}/stream',
    {
      auth: { ucan: 'chat/send' },
      tags: ['Chat'],
      summary: 'Resume a stream after Last-Event-ID, or read the running turn from its start',
      description: `With \`Prefer: wait=<seconds>\` (RFC 7240), at most ${maxWaitSeconds}, it waits for the next turn if none runs.`,
      params: sessionParams,
      headers: z.object({ 'last-event-id': z.string().optional(), prefer: z.string().optional() }),
      ok: resumeAnswers,
    },
    async c => {
      const given = c.req.header('last-event-id')
      const last = given === undefined ? undefined : parseEventId(given)
      if (given !== undefined && !last) {
        return problemResponse(c, {
          status: 400,
          code: 'event_id_invalid',
          detail: 'Last-Event-ID is not an event of this stream.',
        })
      }
      const seconds = Number(c.req.header('prefer')?.match(/\bwait\s*=\s*"?(\d{1,9})\b/i)?.[1] ?? 0)
      const wait = { limitMs: Math.min(seconds, maxWaitSeconds) * 1000, signal: c.req.raw.signal }
      const turn = await engine.resume(
        c.get('actor').did,
        c.req.valid('param').id,
        last,
        seconds > 0 ? wait : undefined,
      )
      return turn ? streamTurn(c, turn, last?.after ?? 0) : c.body(null, 204)
    },
  )
  const stop = coreRoute.post(
    '/chat/{id}/stop',
    {
      auth: { ucan: 'chat/send' },
      tags: ['Chat'],
      summary: 'Stop the running turn of a session',
      endsWork: true,
      params: sessionParams,
      ok: stopAnswers,
    },
    async c => {
      const owner = c.get('actor').did
      const sessionId = c.req.valid('param').id
      const stopped = await engine.stop(owner, { sessionId })
      if (!stopped && !(await sessions.find(owner, sessionId))) {
        return problemResponse(c, sessionNotFound)
      }
      return c.json({ stopped }, 200)
    },
  )
  const decide = coreRoute.post(
    '/chat/{id}/approvals/{approvalId}',
    {
      auth: { ucan: 'chat/send' },
      tags: ['Chat'],
      summary: 'Answer an approval; the turn continues when no other one is pending',
      params: sessionParams.extend({ approvalId: identifier }),
      body: {
        required: true,
        content: { 'application/json': { schema: approvalDecision, example: { decision: 'once' } } },
      },
      ok: decideAnswers,
    },
    async c => {
      const { id, approvalId } = c.req.valid('param')
      const { decision, ...given } = c.req.valid('json')
      const decided = await engine.decide(c.get('actor'), approvalId, decision, given, {
        sessionId: id,
        awaited: false,
      })
      if ('refused' in decided) return refuse(c, decided.refused)
      return decided.turn ? streamTurn(c, decided.turn, 0) : c.json({ waiting: [...decided.waiting] }, 202)
    },
  )
  return [
    { owner: 'core', route: send, spendsNonce: true },
    ...[resume, stop, decide].map(route => ({ owner: 'core', route })),
  ]
}

const decideAll = async (
  c: Context<CoreEnvironment>,
  actor: Actor,
  engine: TurnService,
  replayGuard: ReplayGuard,
  request: ChatDecisions,
): Promise<Response> => {
  const nonce = c.get('invocation')?.nonce
  if (nonce && !(await replayGuard.spend(nonce))) return problemResponse(c, refusal(replayed))
  const { sessionId, clientTools, answerSchema, results } = request
  const open = results.length > 0 ? await engine.openCalls(actor.did, sessionId) : []
  const returned = results.flatMap(({ toolCallId, result }) => {
    const call = open.find(one => one.kind === 'client' && one.toolCallId === toolCallId)
    return call ? [{ id: call.id, approved: true, data: result }] : []
  })
  const decisions = [...request.decisions, ...returned]
  if (decisions.length === 0) return problemResponse(c, messageMissing)
  for (const { id, approved, ...given } of decisions) {
    const options = { sessionId, awaited: false, clientTools, answerSchema }
    const decided = await engine.decide(actor, id, approved ? 'once' : 'deny', given, options)
    if ('refused' in decided) return refuse(c, decided.refused)
    if (decided.turn) return streamTurn(c, decided.turn, 0)
  }
  return refuse(c, refusals.approvalWaiting)
}

const answer = (c: Context<CoreEnvironment>, started: Refused | ReadableTurn): Response =>
  'refused' in started ? refuse(c, started.refused) : streamTurn(c, started, 0)

const refuse = (c: Context<CoreEnvironment>, refused: TurnRefusal): Response => {
  if (refused.status === 401) return problemResponse(c, refusal(replayed))
  const { retryAfterSeconds, ...facts } = refused
  return problemResponse(c, { ...facts, headers: retryAfter({ retryAfterSeconds }) })
}

const streamTurn = (c: Context<CoreEnvironment>, turn: ReadableTurn, after: number): Response =>
  c.req.method === 'HEAD'
    ? new Response(null, { headers: streamHeaders })
    : turnResponse(turn.stream, after, streamTarget(c))
