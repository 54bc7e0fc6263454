import { sql } from '@sibyl/plugin/storage'
import { formatAmount, type Micro, microOf } from '../definitions/amounts.ts'
import type { CreditsStorage } from '../ledger/credits-tables.ts'
import type { SpendingRecord, SpendingRow } from '../records/spending-record.ts'

/** Selection of spending, as UTC days: `2026-11-29`. */
export interface SpendingRequest {
  readonly by: 'person' | 'day' | 'model' | 'tool'
  readonly from?: string | undefined
  /** Exclusive end. */
  readonly to?: string | undefined
}

/** The most rows of a response. */
const maxRows = 500
/** Different sets of tools that are read; turns share few of them. */
const maxToolSets = 5_000

const sum = (column: string) => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`

/**
 * Returns what was spent, the largest sum first.
 *
 * @param priceOf Price of a run of a tool; the ledger has the sums of turns alone
 */
export const readSpending = async (
  { read }: Pick<CreditsStorage, 'read'>,
  { by, from, to }: SpendingRequest,
  priceOf: (tool: string) => Micro,
): Promise<SpendingRecord> => {
  let charges = read
    .selectFrom('credits_charges as charge')
    .innerJoin('credits_people as people', 'people.person', 'charge.person')
  if (from !== undefined) charges = charges.where('charge.day', '>=', from)
  if (to !== undefined) charges = charges.where('charge.day', '<', to)
  if (by === 'tool') {
    // PostgreSQL compares texts, but not JSON.
    const text = sql<string>`cast(charge.tools as text)`
    const sets = await charges
      .select(text.as('set'))
      .select(of => of.fn.countAll<number>().as('turns'))
      .groupBy(text)
      .orderBy('turns', 'desc')
      .limit(maxToolSets)
      .execute()
    return { rows: toolRows(sets, priceOf), isPartial: sets.length === maxToolSets }
  }
  const column = ({ person: 'people.did', day: 'charge.day', model: 'charge.model' } as const)[by]
  const rows = await charges
    .select([
      `${column} as name`,
      sum('charge.amount').as('amount'),
      sum('charge.input_tokens').as('input'),
      sum('charge.output_tokens').as('output'),
    ])
    .select(of => of.fn.countAll<number>().as('turns'))
    .groupBy(column)
    .orderBy('amount', 'desc')
    .orderBy('turns', 'desc')
    .limit(maxRows + 1)
    .execute()
  return {
    rows: rows.slice(0, maxRows).map(({ name, amount, input, output, turns }) => ({
      name,
      turns: Number(turns),
      inputTokens: Number(input),
      outputTokens: Number(output),
      credits: formatAmount(microOf(amount)),
    })),
    isPartial: rows.length > maxRows,
  }
}

const toolRows = (
  sets: readonly { readonly set: string; readonly turns: number }[],
  priceOf: (tool: string) => Micro,
): SpendingRow[] => {
  const runs = new Map<string, number>()
  for (const { set, turns } of sets) {
    for (const [tool, count] of Object.entries(JSON.parse(set) as Readonly<Record<string, number>>))
      runs.set(tool, (runs.get(tool) ?? 0) + count * Number(turns))
  }
  return [...runs]
    .map(([name, count]) => ({ name, turns: count, cost: priceOf(name) * BigInt(count) }))
    .toSorted((one, other) => Number(other.cost - one.cost) || other.turns - one.turns)
    .slice(0, maxRows)
    .map(({ name, turns, cost }) => ({ name, turns, inputTokens: 0, outputTokens: 0, credits: formatAmount(cost) }))
}
