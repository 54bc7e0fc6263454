import { type Usage, utcDay } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreTables } from '../sessions/core-tables.ts'

/** Reads what was used, by all or by one DID. */
export interface TokenUsageStore {
  /** The tokens of a day of UTC ('2026-11-21') that are stored: of one DID, or of the whole oracle. */
  tokens(day: string, owner: string | undefined): Promise<number>
  /** How many turns run in other processes: of one DID, or of the whole oracle. */
  runningElsewhere(owner: string | undefined): Promise<number>
  /** Forgets the days before that one. */
  forgetBefore(day: string): Promise<void>
}

/** The tokens that count against a budget: cached input as well, for a provider counts it in the input. */
export const countedTokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens

/** Counts what a turn used to its owner's day, in the transaction that ends the turn. */
export const addTokenUsage = async (
  tx: Transaction<CoreTables>,
  { owner, usage, now }: { readonly owner: string; readonly usage: Usage; readonly now: number },
): Promise<void> => {
  const tokens = countedTokens(usage)
  if (tokens <= 0) return
  await tx
    .insertInto('core_token_usage')
    .values({ day: utcDay(now), owner, tokens })
    .onConflict(conflict =>
      conflict.columns(['day', 'owner']).doUpdateSet({ tokens: sql`core_token_usage.tokens + excluded.tokens` }),
    )
    .execute()
}

/**
 * Makes the store on the app's storage.
 *
 * @param processId Turns of this process do not run elsewhere.
 */
export const createTokenUsageStore = (
  storage: Pick<Storage<CoreTables>, 'read' | 'write'>,
  processId: string,
): TokenUsageStore => ({
  async tokens(day, owner) {
    const rows = storage.read.selectFrom('core_token_usage').where('day', '=', day)
    const { sum } = await (owner === undefined ? rows : rows.where('owner', '=', owner))
      .select(({ fn }) => fn.sum('tokens').as('sum'))
      .executeTakeFirstOrThrow()
    return Number(sum ?? 0)
  },
  async runningElsewhere(owner) {
    const turns = storage.read
      .selectFrom('core_turns')
      .where('hooks_called', '=', sql.lit(0))
      .where('status', '=', 'running')
      .where('process_id', '!=', processId)
    const { count } = await (owner === undefined ? turns : turns.where('owner', '=', owner))
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  },
  async forgetBefore(day) {
    await storage.write(tx => tx.deleteFrom('core_token_usage').where('day', '<', day).execute())
  },
})
