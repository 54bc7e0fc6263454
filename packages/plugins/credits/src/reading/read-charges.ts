import { formatAmount, microOf } from '../amounts.ts'
import type { CreditsStorage } from '../ledger/credits-tables.ts'
import { cursorOf, type Place, placeOf } from './cursor.ts'

/** What a turn cost, as a person reads it. */
export interface ChargeRecord {
  readonly turnId: string
  readonly at: string
  readonly channel: string
  readonly model: string
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly tools: Readonly<Record<string, number>>
  readonly credits: string
  /** False where it was only metered. */
  readonly billed: boolean
  readonly outcome: string
}

/** Which charges to read. Times are milliseconds since 1970. */
export interface ChargesRequest {
  readonly did: string
  readonly from?: number | undefined
  /** The first that is not read any more. */
  readonly to?: number | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Charges of a person's turns, and of those that others ran on their account, the latest first. Throws `credits_cursor_invalid`. */
export const readCharges = async (
  { read }: Pick<CreditsStorage, 'read'>,
  { did, from, to, limit, cursor }: ChargesRequest,
): Promise<{ readonly charges: readonly ChargeRecord[]; readonly next?: string }> => {
  const before: Place | undefined = cursor === undefined ? undefined : placeOf(cursor)
  const row = await read.selectFrom('credits_people').select('person').where('did', '=', did).executeTakeFirst()
  if (!row) return { charges: [] }
  let query = read
    .selectFrom('credits_charges')
    .selectAll()
    .where(({ eb, or }) => or([eb('person', '=', row.person), eb('actor', '=', row.person)]))
    .orderBy('at', 'desc')
    .orderBy('turn', 'desc')
    .limit(limit + 1)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (before) {
    query = query.where(eb =>
      eb.or([eb('at', '<', before.at), eb.and([eb('at', '=', before.at), eb('turn', '<', before.key)])]),
    )
  }
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    charges: shown.map(charge => ({
      turnId: charge.turn,
      at: new Date(charge.at).toISOString(),
      channel: charge.channel,
      model: charge.model,
      inputTokens: charge.input_tokens,
      cachedInputTokens: charge.cached_tokens,
      outputTokens: charge.output_tokens,
      tools: charge.tools,
      credits: formatAmount(microOf(charge.amount)),
      billed: charge.billed === 1,
      outcome: charge.outcome,
    })),
    ...(rows.length > limit && last ? { next: cursorOf({ at: last.at, key: last.turn }) } : {}),
  }
}

/** All charges of a person, page by page. */
export async function* allCharges(
  storage: Pick<CreditsStorage, 'read'>,
  request: Omit<ChargesRequest, 'limit' | 'cursor'>,
): AsyncGenerator<readonly ChargeRecord[]> {
  let cursor: string | undefined
  do {
    const { charges, next } = await readCharges(storage, { ...request, limit: 500, cursor })
    yield charges
    cursor = next
  } while (cursor !== undefined)
}
