import { page } from '@sibyl/plugin'
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

/** A turn's cost as a person reads it; not billed where it was only metered. */
export type ChargeRecord = z.output<typeof chargeRecord>

/** Charges in pages, each behind the time and the turn of the last one before. */
export const chargesPage = page({ name: 'charges', item: chargeRecord, key: z.tuple([z.number(), z.string()]) })

/** Selection of charges. Times are milliseconds since 1970. */
export interface ChargesRequest {
  readonly did: string
  readonly from?: number | undefined
  /** The first that is not read any more. */
  readonly to?: number | undefined
}

/** Charges of a person's turns, and of those that others ran on their account, the latest first. Throws `cursor_invalid`. */
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
  let query = read
    .selectFrom('credits_charges')
    .selectAll()
    .where(({ eb, or }) => or([eb('person', '=', row.person), eb('actor', '=', row.person)]))
    .orderBy('at', 'desc')
    .orderBy('turn', 'desc')
    .limit(limit)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (behind) {
    const [at, turn] = behind
    query = query.where(eb => eb.or([eb('at', '<', at), eb.and([eb('at', '=', at), eb('turn', '<', turn)])]))
  }
  return query.execute()
}

const recordOf = (charge: Awaited<ReturnType<typeof readRows>>[number]): ChargeRecord => ({
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

/** Charges read at once. */
const perPart = 500

/** All charges of a person, in parts. */
export async function* allCharges(
  storage: Pick<CreditsStorage, 'read'>,
  request: ChargesRequest,
): AsyncGenerator<readonly ChargeRecord[]> {
  let behind: readonly [number, string] | undefined
  do {
    const rows = await readRows(storage, request, perPart, behind)
    yield rows.map(recordOf)
    const last = rows.length < perPart ? undefined : rows.at(-1)
    behind = last && [last.at, last.turn]
  } while (behind)
}
