import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import { maskNumber } from '../numbers/phone-number.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import { operatorAdvice } from '../outbox/state-advice.ts'
import { smsErrors } from '../sms-errors.ts'

import type { MessageRow, SmsStorage } from '../storage/sms-tables.ts'
import type { OwnMessages } from '../tools/own-messages.ts'

export interface MessageRoutesParts {
  readonly storage: SmsStorage
  readonly messages: OwnMessages
  readonly numbers: SealedNumbers
  /** Whether secrets may be read: where the outbox is the phone. */
  readonly showsSecrets: boolean
}

const state = z.enum(['waiting', 'held', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'refused', 'erased'])

const outboxMessage = z.object({
  id: z.string(),
  to: z.string().meta({ description: 'The number, masked', example: '+26097•••4567' }),
  purpose: z.enum(['person', 'notice', 'service', 'answer', 'word', 'apology', 'code']),
  text: z.string().optional().meta({ description: 'Missing where it is a secret' }),
  parts: z.int(),
  encoding: z.enum(['gsm7', 'ucs2']),
  state,
  reason: z.string().optional(),
  advice: z.string().optional().meta({ description: 'What the operator is to do, where the state leaves that open' }),
  attempts: z.int(),
  cost: z.string().optional().meta({ description: 'What the provider says it cost', example: 'KES 0.8000' }),
  heldUntil: z.iso.datetime().optional(),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().optional(),
  settledAt: z.iso.datetime().optional(),
})

const ownMessage = z.object({
  id: z.string(),
  direction: z.enum(['to', 'from']),
  phone: z.string().meta({ description: 'The number, masked' }),
  text: z.string().optional(),
  state: z.string(),
  advice: z.string().optional().meta({ description: 'What there is to do, where the state leaves that open' }),
  parts: z.int().optional(),
  cost: z.string().optional(),
  at: z.iso.datetime(),
})

/** What the operator sees of all that goes out, and a person of their own. */
export const messageRoutes = ({ storage, messages, numbers, showsSecrets }: MessageRoutesParts): Route[] => [
  route.get(
    '/sms/outbox',
    {
      auth: 'operator',
      summary: 'What goes out, the newest first; with `embedded:` this is where SMS arrive',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(200).default(50),
        cursor: z.string().min(1).max(200).optional().meta({ description: 'The `next` of the page before' }),
        state: state.optional(),
      }),
      ok: {
        200: {
          description: 'The messages',
          schema: z.object({
            messages: z.array(outboxMessage),
            next: z.string().optional().meta({ description: 'The `cursor` of the next page; missing on the last one' }),
          }),
        },
      },
      errors: [smsErrors.sms_cursor_invalid, { code: 'operator_token_needed', status: 401 }],
    },
    async c => {
      const { limit, cursor, state: only } = c.req.valid('query')
      let query = storage.read
        .selectFrom('sms_messages')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
      if (only !== undefined) query = query.where('state', '=', only)
      if (cursor !== undefined) {
        const { at, id } = readCursor(cursor)
        query = query
          .where('created_at', '<=', at)
          .where(of => of.or([of('created_at', '<', at), of.and([of('created_at', '=', at), of('id', '<', id)])]))
      }
      const rows = await query.execute()
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return c.json(
        {
          messages: page.map(row => outboxRecord(row, { numbers, showsSecrets })),
          ...(rows.length > limit && last ? { next: writeCursor(last) } : {}),
        },
        200,
      )
    },
  ),
  route.get(
    '/sms/messages',
    {
      auth: { ucan: 'sms/read' },
      summary: 'Your latest SMS: what you wrote, got, and had sent',
      query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
      ok: {
        200: { description: 'The messages, the newest first', schema: z.object({ messages: z.array(ownMessage) }) },
      },
    },
    async c => {
      const found = await messages.of(c.get('actor').did, c.req.valid('query').limit)
      return c.json({ messages: [...found] }, 200)
    },
  ),
]

const outboxRecord = (
  row: MessageRow,
  { numbers, showsSecrets }: Pick<MessageRoutesParts, 'numbers' | 'showsSecrets'>,
): z.output<typeof outboxMessage> => ({
  id: row.id,
  to: maskNumber(numbers.open(row.phone, { table: 'sms_messages', row: row.id }) ?? ''),
  purpose: row.purpose,
  ...((row.sensitive && !showsSecrets) || row.state === 'erased' ? {} : { text: row.text }),
  parts: row.parts,
  encoding: row.encoding,
  state: row.state,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(operatorAdvice[row.state] === undefined ? {} : { advice: operatorAdvice[row.state] }),
  attempts: row.attempts,
  ...(row.cost === null ? {} : { cost: row.cost }),
  ...(row.held_until === null ? {} : { heldUntil: timeOf(row.held_until) }),
  createdAt: timeOf(row.created_at),
  ...(row.sent_at === null ? {} : { sentAt: timeOf(row.sent_at) }),
  ...(row.settled_at === null ? {} : { settledAt: timeOf(row.settled_at) }),
})

const timeOf = (at: number): string => new Date(at).toISOString()

const writeCursor = ({ created_at: at, id }: MessageRow): string => Buffer.from(`${at}.${id}`).toString('base64url')

const readCursor = (cursor: string): { readonly at: number; readonly id: string } => {
  const [, at, id] = /^([0-9]{1,15})\.([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
  if (at === undefined || id === undefined) throw smsErrors.sms_cursor_invalid()
  return { at: Number(at), id }
}
