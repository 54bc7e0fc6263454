import { listErrors, page, type Route, route } from '@sibyl/plugin'
import { maskPhone } from '@sibyl/plugin/phones'
import { z } from 'zod'
import { smsFailures } from '../definitions/sms-errors.ts'
import type { InboundRow, MessageRow, SmsStorage } from '../definitions/sms-tables.ts'
import { requirePhoneNumber } from '../numbers/phone-number.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import { shownToOperator } from '../people/own-messages.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { type ThreadMessage, threadMessage } from '../records/sms-records.ts'

export interface ThreadRouteDependencies {
  readonly storage: SmsStorage
  readonly numbers: SealedNumbers
  readonly people: Pick<SmsPeople, 'didOf'>
  /** True if secrets may be read, because the thread replaces the phone. */
  readonly showsSecrets: boolean
}

const threadPage = page({ name: 'messages', item: threadMessage, key: z.tuple([z.int(), z.string()]) })

const threadResponse = threadPage.response.extend({
  phone: z.string().meta({ description: 'The number, masked', example: '+26097•••4567' }),
})

/** A message of either direction, with the time and ID of its place in the thread. */
interface ThreadItem {
  readonly at: number
  readonly id: string
  readonly message: ThreadMessage
}

/** The place behind which a page starts. */
type Place = readonly [at: number, id: string]

/** Creates `POST /sms/thread` for operators: the messages to and from one phone. Its number stays out of URLs. */
export const threadRoute = (parts: ThreadRouteDependencies): Route =>
  route.post(
    '/sms/thread',
    {
      auth: 'operator',
      readsOnly: true,
      summary: 'List the messages to and from a phone, newest first',
      description:
        'Without a signing key of the oracle, incoming messages are listed only while numbers are not encrypted.',
      body: threadPage.query.extend({
        phone: z.string().max(40).meta({ description: 'A number with its country code', example: '+260971234567' }),
      }),
      ok: { 200: { description: 'The messages', schema: threadResponse } },
      errors: [
        listErrors.cursor_invalid,
        smsFailures.sms_number_invalid,
        { code: 'operator_token_needed', status: 401 },
      ],
    },
    async c => {
      const { limit, cursor, phone: given } = c.req.valid('json')
      const phone = requirePhoneNumber(given)
      const filters = { phone }
      const behind = threadPage.read(cursor, filters)
      const [sent, received] = await Promise.all([
        readSent(parts, phone, behind, limit + 1),
        readReceived(parts, phone, behind, limit + 1),
      ])
      const items = [...sent, ...received].sort(newestFirst).slice(0, limit + 1)
      const found = threadPage.make(items, {
        limit,
        filters,
        keyOf: ({ at, id }): [number, string] => [at, id],
        itemOf: ({ message }) => message,
      })
      return c.json({ phone: maskPhone(phone), ...found }, 200)
    },
  )

const newestFirst = (one: ThreadItem, other: ThreadItem): number => other.at - one.at || (one.id < other.id ? 1 : -1)

const readSent = async (
  { storage, numbers, showsSecrets }: ThreadRouteDependencies,
  phone: string,
  behind: Place | undefined,
  limit: number,
): Promise<ThreadItem[]> => {
  let query = storage.read
    .selectFrom('sms_messages')
    .selectAll()
    .where(numbers.isOf(phone))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (behind) {
    const [at, id] = behind
    query = query.where(of =>
      of.or([of('created_at', '<', at), of.and([of('created_at', '=', at), of('id', '<', id)])]),
    )
  }
  return (await query.execute()).map(row => ({
    at: row.created_at,
    id: row.id,
    message: sentRecord(row, showsSecrets),
  }))
}

const readReceived = async (
  { storage, people, numbers }: ThreadRouteDependencies,
  phone: string,
  behind: Place | undefined,
  limit: number,
): Promise<ThreadItem[]> => {
  const did = people.didOf(phone)
  if (did === '' && numbers.vault !== undefined) return []
  let query = storage.read
    .selectFrom('sms_inbound')
    .selectAll()
    .where(of => (did === '' ? of('phone', '=', phone) : of('did', '=', did)))
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (behind) {
    const [at, id] = behind
    query = query.where(of =>
      of.or([of('received_at', '<', at), of.and([of('received_at', '=', at), of('id', '<', id)])]),
    )
  }
  return (await query.execute()).map(row => ({ at: row.received_at, id: row.id, message: receivedRecord(row) }))
}

const sentRecord = (row: MessageRow, showsSecrets: boolean): ThreadMessage => ({
  id: row.id,
  direction: 'to',
  ...shownToOperator(row, showsSecrets),
  state: row.state,
  purpose: row.purpose,
  parts: row.parts,
  encoding: row.encoding,
  at: new Date(row.created_at).toISOString(),
})

const receivedRecord = (row: InboundRow): ThreadMessage => ({
  id: row.id,
  direction: 'from',
  ...(row.state === 'erased' ? {} : { text: row.text }),
  state: row.state,
  at: new Date(row.received_at).toISOString(),
})
