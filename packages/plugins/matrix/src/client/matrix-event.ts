import { z } from 'zod'

/** Schema of ids and tokens of others, without characters that a database cannot store. */
export const storableId = z.string().regex(/^[^\p{Cc}\p{Cs}]+$/u)

const id = storableId.max(255)

/** `@field-oracle:matrix.example.org` */
export const matrixUserId = z
  .string()
  .max(255)
  .regex(/^@[^:\s\p{Cc}\p{Cs}]+:[A-Za-z0-9.:[\]-]+$/u)

/** `!opaque:matrix.example.org`; without a server name in later room versions. */
export const matrixRoomId = z
  .string()
  .max(255)
  .regex(/^![^\s\p{Cc}\p{Cs}]+$/u)

const rawEvent = z.object({
  type: id,
  sender: matrixUserId,
  content: z.record(z.string(), z.unknown()),
  event_id: id.regex(/^\$/).optional(),
  state_key: z.string().max(255).optional(),
  origin_server_ts: z.number().optional().catch(undefined),
  redacts: id.optional().catch(undefined),
})

/** An event of a room, as far as the bot uses it (Matrix v1.11, "Events"). */
export interface MatrixEvent {
  readonly type: string
  readonly sender: string
  readonly content: Readonly<Record<string, unknown>>
  /** Undefined in the stripped state of an invitation. */
  readonly id: string | undefined
  readonly stateKey: string | undefined
  /** Milliseconds since 1970, as reported by the sender's homeserver. */
  readonly at: number | undefined
  readonly redacts: string | undefined
}

/** Parses an event; undefined if it is invalid. */
export const readEvent = (given: unknown): MatrixEvent | undefined => {
  const { data } = rawEvent.safeParse(given)
  return (
    data && {
      type: data.type,
      sender: data.sender,
      content: data.content,
      id: data.event_id,
      stateKey: data.state_key,
      at: data.origin_server_ts,
      redacts: data.redacts,
    }
  )
}

/** Returns a text of an event's content, truncated and without characters that a database cannot store. */
export const contentText = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, max).replaceAll('\0', '').toWellFormed() : undefined

const relation = z.object({
  rel_type: z.string().max(100).optional().catch(undefined),
  event_id: id.optional().catch(undefined),
  is_falling_back: z.boolean().optional().catch(undefined),
  'm.in_reply_to': z.object({ event_id: id }).optional().catch(undefined),
})

/** Relations of an event: what it replaces, its thread, and what it replies to. */
export interface Relation {
  readonly replaces?: string
  readonly thread?: string
  /** The event that it replies to; not the fallback that a thread names for clients without threads. */
  readonly repliesTo?: string
}

/** Reads `m.relates_to`. */
export const readRelation = (content: MatrixEvent['content']): Relation => {
  const { data } = relation.safeParse(content['m.relates_to'])
  if (!data) return {}
  if (data.rel_type === 'm.replace') return { replaces: data.event_id ?? '' }
  const reply = data['m.in_reply_to']?.event_id
  const isThread = data.rel_type === 'm.thread' && data.event_id !== undefined
  return {
    ...(isThread ? { thread: data.event_id! } : {}),
    ...(reply === undefined || (isThread && data.is_falling_back === true) ? {} : { repliesTo: reply }),
  }
}
