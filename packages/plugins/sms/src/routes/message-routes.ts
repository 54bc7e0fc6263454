import { isoTime, listErrors, page, type Route, route } from '@sibyl/plugin'
import { maskPhone } from '@sibyl/plugin/phones'
import { z } from 'zod'
import type { MessageRow, SmsStorage } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import { type OwnMessages, ownMessage, shownToOperator } from '../people/own-messages.ts'
import { type OutboxMessage, outboxMessage } from '../records/sms-records.ts'

export interface MessageRoutesDependencies {
  readonly storage: SmsStorage
  readonly messages: OwnMessages
  readonly numbers: SealedNumbers
  /** True if secrets may be read, because the outbox replaces the phone. */
  readonly showsSecrets: boolean
}

const outboxPage = page({ name: 'messages', item: outboxMessage, key: z.tuple([z.int(), z.string()]) })

/** Creates the routes for the operator's outbox and for users' own messages. */
export const messageRoutes = ({ storage, messages, numbers, showsSecrets }: MessageRoutesDependencies): Route[] => [
  route.get(
    '/sms/outbox',
    {
      auth: 'operator',
      summary: 'List outgoing messages, newest first; with `embedded:` SMS arrive here',
      query: outboxPage.query.extend({ state: outboxMessage.shape.state.optional() }),
      ok: { 200: { description: 'The messages', schema: outboxPage.response } },
      errors: [listErrors.cursor_invalid, { code: 'operator_token_needed', status: 401 }],
    },
    async c => {
      const { limit, cursor, ...filters } = c.req.valid('query')
      let query = storage.read
        .selectFrom('sms_messages')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
      if (filters.state !== undefined) query = query.where('state', '=', filters.state)
      const behind = outboxPage.read(cursor, filters)
      if (behind) {
        const [at, id] = behind
        query = query
          .where('created_at', '<=', at)
          .where(of => of.or([of('created_at', '<', at), of.and([of('created_at', '=', at), of('id', '<', id)])]))
      }
      const found = outboxPage.make(await query.execute(), {
        limit,
        filters,
        keyOf: row => [row.created_at, row.id],
        itemOf: row => outboxRecord(row, { numbers, showsSecrets }),
      })
      return c.json(found, 200)
    },
  ),
  route.get(
    '/sms/messages',
    {
      auth: { ucan: 'sms/read' },
      summary: 'List your latest SMS: written, received, and sent',
      query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
      ok: {
        200: { description: 'The messages, newest first', schema: z.object({ messages: z.array(ownMessage) }) },
      },
    },
    async c => {
      const found = await messages.of(c.get('actor').did, c.req.valid('query').limit)
      return c.json({ messages: found }, 200)
    },
  ),
]

const outboxRecord = (
  row: MessageRow,
  { numbers, showsSecrets }: Pick<MessageRoutesDependencies, 'numbers' | 'showsSecrets'>,
): OutboxMessage => ({
  id: row.id,
  to: maskPhone(numbers.open(row.phone, { table: 'sms_messages', row: row.id }) ?? ''),
  purpose: row.purpose,
  ...shownToOperator(row, showsSecrets),
  parts: row.parts,
  encoding: row.encoding,
  state: row.state,
  attempts: row.attempts,
  ...(row.cost === null ? {} : { cost: row.cost }),
  ...(row.held_until === null ? {} : { heldUntil: isoTime(row.held_until) }),
  createdAt: isoTime(row.created_at),
  ...(row.sent_at === null ? {} : { sentAt: isoTime(row.sent_at) }),
  ...(row.settled_at === null ? {} : { settledAt: isoTime(row.settled_at) }),
})
