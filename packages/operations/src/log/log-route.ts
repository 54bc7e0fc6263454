import { z } from '@hono/zod-openapi'
import {
  type Actor,
  defineErrors,
  type Host,
  holdsAbility,
  type Places,
  type Route,
  route,
  type ShareOf,
  sseResponse,
} from '@sibyl/plugin'
import { makePlaces } from '@sibyl/plugin/host'
import { type LogLineRecord, logLevel, logLineRecord } from './log-line.ts'
import type { LogRing } from './log-ring.ts'

const logErrors = defineErrors({
  log_readers_full: {
    status: 429,
    message: 'Too many clients read the log of this process. Close one of them, or try again later.',
  },
})

export interface LogRouteParts {
  readonly ring: LogRing
  /** Redacts secrets, also those that were unknown when a line was written. */
  readonly redact: (text: string) => string
  readonly shareOf: ShareOf
  readonly checkGrant: Host['grants']['check']
  readonly now: () => number
  /** Aborts when the shutdown begins. */
  readonly ending: AbortSignal
}

/** Selects lines. */
interface LogFilters {
  readonly level: (typeof logLevel.options)[number]
  readonly plugin?: string | undefined
  readonly text?: string | undefined
}

/** Maximum readers of this process. */
const maxReaders = { capacity: 20, perHolder: 10 } as const
/** The longest connection, in milliseconds; then the client authenticates again. */
const lifeMs = 900_000
/** Time between two checks of the right of a reader, in milliseconds. */
const rightMs = 5_000
/** Lines of one read. */
const pageSize = 100

/** `GET /operator/log`: the log of this process as server-sent events. */
export const logRoute = (parts: LogRouteParts): Route => {
  const places = makePlaces(maxReaders, parts.shareOf)
  return route.get(
    '/operator/log',
    {
      auth: 'operator',
      tags: ['Operator'],
      summary: 'Follow the log of this process as server-sent events',
      description:
        'Starts with the latest lines, then sends each line when it is written. `Last-Event-ID` continues after that line. An event `gap` ' +
        'with the number of missing lines is sent where lines were overwritten; an event `restart`, where the ID belongs to another ' +
        'process or an earlier start. Lines have the minimum level of `LOG_LEVEL`, and contain no secrets. A comment is sent every 15 ' +
        'seconds; a connection lasts at most 15 minutes, and ends some seconds after the right of its reader.',
      query: z.object({
        level: logLevel.default('trace').meta({ description: 'Only lines of this level and above' }),
        plugin: z.string().max(100).optional().meta({ description: 'Only lines of this plugin' }),
        text: z.string().max(200).optional().meta({ description: 'Only lines that contain this text, in any case' }),
        tail: z.coerce
          .number()
          .int()
          .min(0)
          .max(2_000)
          .default(200)
          .meta({ description: 'Earlier lines to start with' }),
      }),
      headers: z.object({ 'last-event-id': z.string().max(100).optional() }),
      ok: { 200: { description: 'The lines', content: { 'text/event-stream': { schema: logLineRecord } } } },
      errors: [logErrors.log_readers_full],
    },
    async c => {
      if (c.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
      const { tail, ...filters } = c.req.valid('query')
      const actor = c.get('actor')
      const reader = admit(places, parts.ending, actor)
      const mayRead = rightOf(actor, parts)
      const start = startOf(parts.ring, c.req.header('last-event-id'), tail)
      return sseResponse(c, follow(parts, filters, start, { ...reader, mayRead }), reader.leave)
    },
  )
}

/** A reader until it leaves. */
interface Reader {
  readonly ended: AbortSignal
  readonly leave: () => void
}

const admit = (places: Places, ending: AbortSignal, actor: Actor): Reader => {
  const place = places.take(actor)
  if ('full' in place) throw logErrors.log_readers_full()
  const leaving = new AbortController()
  return {
    ended: AbortSignal.any([ending, leaving.signal, AbortSignal.timeout(lifeMs)]),
    leave() {
      place.release()
      leaving.abort()
    },
  }
}

/** Returns a function that checks, from time to time, whether the right of a reader still holds. */
const rightOf = (actor: Actor, { checkGrant, now }: LogRouteParts): (() => Promise<boolean>) => {
  let checkedAt = now()
  return async () => {
    if (now() - checkedAt < rightMs) return true
    checkedAt = now()
    const verdict = await checkGrant(actor)
    return verdict.holds && holdsAbility(verdict.actor.scopes, 'operator/read')
  }
}

interface Start {
  /** The number of the line after which the reader continues. */
  readonly after: number
  /** Whether lines that the reader has not seen may belong to another ring. */
  readonly isRestart: boolean
}

const startOf = (ring: LogRing, lastEventId: string | undefined, tail: number): Start => {
  const [, id, number] = /^([0-9a-f]+)-(\d{1,15})$/.exec(lastEventId ?? '') ?? []
  if (id === ring.id && Number(number) <= ring.last) return { after: Number(number), isRestart: false }
  return { after: Math.max(0, ring.last - tail), isRestart: lastEventId !== undefined }
}

async function* follow(
  { ring, redact }: LogRouteParts,
  filters: LogFilters,
  { after, isRestart }: Start,
  { ended, leave, mayRead }: Reader & { readonly mayRead: () => Promise<boolean> },
): AsyncGenerator<string> {
  try {
    yield 'retry: 2000\n\n'
    if (isRestart) yield 'event: restart\ndata: {}\n\n'
    let isFirst = !isRestart && after === 0
    for (let position = after; !ended.aborted; ) {
      if (!(await mayRead())) return
      const { lines, missed } = ring.read(position, pageSize)
      if (missed > 0 && !isFirst) yield `event: gap\ndata: ${JSON.stringify({ missed })}\n\n`
      isFirst = false
      position = lines.at(-1)?.[0] ?? position + missed
      const frames = lines.flatMap(([number, line]) => {
        const record = recordOf(line, redact)
        return matches(filters, record) ? `id: ${ring.id}-${number}\ndata: ${JSON.stringify(record)}\n\n` : []
      })
      if (frames.length > 0) yield frames.join('')
      // Requests of other clients come first.
      if (lines.length === pageSize) await new Promise(resolve => setImmediate(resolve))
      else await ring.next(position, ended)
    }
  } finally {
    leave()
  }
}

const levels = logLevel.options

const matches = ({ level, plugin, text }: LogFilters, line: LogLineRecord): boolean =>
  levels.indexOf(line.level) >= levels.indexOf(level) &&
  (plugin === undefined || line.plugin === plugin) &&
  (text === undefined || `${line.message} ${JSON.stringify(line.fields)}`.toLowerCase().includes(text.toLowerCase()))

/** Parses a line of the log; each text is redacted again, since a secret may have become known later. */
const recordOf = (line: string, redact: (text: string) => string): LogLineRecord => {
  const parsed = JSON.parse(line, (_, value) => (typeof value === 'string' ? redact(value) : value))
  const { level, time, msg, plugin, ...fields } = parsed as Record<string, unknown>
  return {
    time: String(time),
    level: logLevel.catch('info').parse(level),
    message: String(msg),
    ...(typeof plugin === 'string' ? { plugin } : {}),
    fields,
  }
}
