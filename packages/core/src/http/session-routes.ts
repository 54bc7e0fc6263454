import { z } from '@hono/zod-openapi'
import { holdsAbility, isoTime, listErrors, page, type Route } from '@sibyl/plugin'
import {
  identifier,
  type personFiles,
  personFilesAbilities,
  type ServiceOf,
  sessionRecord,
  sessionSummary,
} from '@sibyl/protocol'
import { withLinks } from '../attachments/with-links.ts'
import { maxSearched, type Session, type SessionStore } from '../sessions/session-store.ts'
import { failureText } from '../turn/store/turn.ts'
import type { TurnService } from '../turn/turn-service.ts'
import { coreRoute } from './core-route.ts'
import { problemResponse } from './problem-response.ts'

const sessionParams = z.object({ id: identifier })

/** The id of a message, generated here or by a client. */
export const messageId = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\0]*$/, 'must not have the character NUL')

/** The caller has no session with this id; the id of another user gives the same response. */
export const sessionNotFound = {
  status: 404,
  code: 'session_not_found',
  detail: 'You have no session with that id.',
} as const

const sessionsPage = page({
  name: 'sessions',
  item: sessionSummary,
  key: z.tuple([z.number(), z.string()]),
  limit: 50,
  maxLimit: 200,
})

const summaryOf = (session: Session): z.infer<typeof sessionSummary> => ({
  id: session.id,
  title: session.title,
  loadedPlugins: [...session.loadedPlugins],
  createdAt: isoTime(session.createdAt),
  updatedAt: isoTime(session.updatedAt),
  runningTurn: session.runningTurn,
})

export interface SessionRoutesParts {
  readonly sessions: SessionStore
  readonly engine: TurnService
  /** Returns the files of messages, if a plugin keeps them. */
  readonly files: () => ServiceOf<typeof personFiles> | undefined
  /** PUBLIC_URL without a slash at its end. Without it links lead to where the request came. */
  readonly publicUrl: string | undefined
}

/** `GET /sessions`, `GET /sessions/:id` and `DELETE /sessions/:id`: for the sessions of the caller only. */
export const sessionRoutes = ({ sessions, engine, files, publicUrl }: SessionRoutesParts): Route[] => [
  coreRoute.get(
    '/sessions',
    {
      auth: { ucan: 'session/read' },
      tags: ['Sessions'],
      summary: 'List your sessions, newest first',
      query: sessionsPage.query.extend({
        before: z.iso.datetime({ offset: true }).optional(),
        q: z
          .string()
          .trim()
          .min(1)
          .max(200)
          .regex(/^[^\0]*$/, 'must not have the character NUL')
          .optional()
          .meta({
            description: `Only sessions with this text in their title, or in one of your messages in your latest ${maxSearched} sessions`,
            example: 'weather',
          }),
      }),
      ok: { 200: { description: 'The sessions', schema: sessionsPage.response } },
      errors: [listErrors.cursor_invalid],
    },
    async c => {
      const { limit, before, cursor, q: text } = c.req.valid('query')
      const filters = { before, text }
      const rows = await sessions.list(c.get('actor').did, {
        limit: limit + 1,
        before: before === undefined ? undefined : Date.parse(before),
        behind: sessionsPage.read(cursor, filters),
        text,
      })
      const keyOf = ({ updatedAt, id }: Session): [number, string] => [updatedAt, id]
      return c.json(sessionsPage.make(rows, { limit, filters, keyOf, itemOf: summaryOf }), 200)
    },
  ),
  coreRoute.get(
    '/sessions/{id}',
    {
      auth: { ucan: 'session/read' },
      tags: ['Sessions'],
      summary: 'Read a session with its messages',
      description:
        'With `files/read` or `chat/personal`, the `url` of a file part shows the file for some minutes, without a token.',
      params: sessionParams,
      query: z.object({
        after: messageId.optional().meta({
          description: 'Only the messages after the one with this id; all messages if it does not exist',
        }),
      }),
      ok: { 200: { description: 'The session', schema: sessionRecord } },
      errors: [sessionNotFound],
    },
    async c => {
      const { did: owner, scopes } = c.get('actor')
      const session = await sessions.find(owner, c.req.valid('param').id)
      if (!session) return problemResponse(c, sessionNotFound)
      const messages = await sessions.messages(owner, session.id, c.req.valid('query').after)
      const { role, metadata: ended } = messages.at(-1) ?? {}
      const isAnswered = role === 'assistant' && ended?.outcome !== 'failed' && ended?.outcome !== 'interrupted'
      const code = isAnswered || session.runningTurn ? undefined : await sessions.failure(owner, session.id)
      const readable = holdsAbility(scopes, personFilesAbilities.read) ? files() : undefined
      const linked = await withLinks(messages, { files: readable, owner, url: publicUrl ?? new URL(c.req.url).origin })
      return c.json(
        {
          ...summaryOf(session),
          ...(code === undefined ? {} : { failure: { code, text: failureText(code) } }),
          messages: linked.map(({ id, role, parts, metadata, createdAt }) => ({
            id,
            role,
            parts,
            metadata,
            createdAt: isoTime(createdAt),
          })),
        },
        200,
      )
    },
  ),
  coreRoute.delete(
    '/sessions/{id}',
    {
      auth: { ucan: 'session/delete' },
      tags: ['Sessions'],
      summary: 'Delete a session and all its messages; a running turn is stopped',
      params: sessionParams,
      ok: { 204: { description: 'Deleted' } },
      errors: [sessionNotFound],
    },
    async c => {
      const owner = c.get('actor').did
      const { id } = c.req.valid('param')
      return (await engine.forget(owner, id)) ? c.body(null, 204) : problemResponse(c, sessionNotFound)
    },
  ),
]
