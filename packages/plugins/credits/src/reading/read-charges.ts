import { eachRow, page } from '@sibyl/plugin'
import { z } from 'zod'
import { formatAmount, microOf } from '../definitions/amounts.ts'
import type { CreditsStorage } from '../ledger/credits-tables.ts'

const chargeRecord = z.object({
  turnId: z.string(),
  at: z.iso.datetime(),
  channel: z.string(),
  model: z.string(),
  inputTokens: z.int(),
  cachedInputTokens: z.int(),
  outputTokens: z.int(),
  tools: z.record(z.string(), z.int()),
  credits: z.string().meta({ description: 'Credits, with up to 6 decimals', example: '98.5' }),
  billed: z.boolean(),
  outcome: z.string(),
})

/** Cost of a turn for its user; not billed if it was only metered. */
export type ChargeRecord = z.output<typeof chargeRecord>

/** Pages of charges, ordered by time and turn. */
export const chargesPage = page({ name: 'charges', item: chargeRecord, key: z.tuple([z.number(), z.string()]) })

/** Selection of charges. Times are milliseconds since 1970. */
export interface ChargesRequest {
  readonly did: string
  readonly from?: number | undefined
  /** Exclusive end. */
  readonly to?: number | undefined
}

/**
 * Returns charges of a person's turns, and of turns that others ran on the person's account, latest first. Throws
 * `cursor_invalid`.
 */
export const readCharges = async (
  storage: Pick<CreditsStorage, 'read'>,
  request: ChargesRequest,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) => {
  const filters = { ...request }
  const rows = await readRows(storage, request, limit + 1, chargesPage.read(cursor, filters))
  return chargesPage.make(rows, { limit, filters, keyOf: ({ at, turn }) => [at, turn], itemOf: recordOf })
}

const readRows = async (
  { read }: Pick<CreditsStorage, 'read'>,
  { did, from, to }: ChargesRequest,
  limit: number,
  behind?: readonly [at: number, turn: string],
) => {
  const row = await read.selectFrom('credits_people').select('person').where('did', '=', did).executeTakeFirst()
  if (!row) return []
  /** Each half is in the order of an index, so that a page reads no more rows than it has. */
  const half = (column: 'person' | 'actor') => {
    let query = read.selectFrom('credits_charges').selectAll().where(column, '=', row.person)
    if (from !== undefined) query = query.where('at', '>=', from)
    if (to !== undefined) query = query.where('at', '<', to)
    if (behind) query = query.where(eb => eb(eb.refTuple('at', 'turn'), '<', eb.tuple(...behind)))
    return read.selectFrom(query.orderBy('at', 'desc').orderBy('turn', 'desc').limit(limit).as('half')).selectAll()
  }
  return read
    .selectFrom(half('person').unionAll(half('actor')).as('charges'))
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('turn', 'desc')
    .limit(limit)
    .execute()
}

const recordOf = (charge: ChargeRow): ChargeRecord => ({
  turnId: charge.turn,
  at: new Date(charge.at).toISOString(),
  channel: charge.channel,
  model: charge.model,
  inputTokens: charge.input_tokens,
  cachedInputTokens: charge.cached_tokens,
  outputTokens: charge.output_tokens,
  tools: { ...charge.tools },
  credits: formatAmount(microOf(charge.amount)),
  billed: charge.billed === 1,
  outcome: charge.outcome,
})

/** Yields all charges of a person. */
export async function* allCharges(storage: Pick<CreditsStorage, 'read'>, request: ChargesRequest) {
  const rows = eachRow<ChargeRow>(last => readRows(storage, request, 500, last && [last.at, last.turn]))
  for await (const row of rows) yield recordOf(row)
}

type ChargeRow = Awaited<ReturnType<typeof readRows>>[number]
