import { countedOrigins, erasedMark, utcDay } from '@sibyl/plugin'
import type { Usage } from '@sibyl/protocol'
import { deleteInParts, type FixedStatement, runFixed, type Storage, sql } from '@sibyl/storage'
import type { Transaction } from 'kysely'
import type { CoreRow, CoreTables } from '../database/core-tables.ts'

/** The owner of tokens: a holder, an origin or a site of origins, or the whole oracle. */
export type TokenUser = { readonly holder: string } | { readonly origin: string } | 'oracle'

/** Tokens by day and by user. */
export interface TokenUsageSummary {
  readonly days: { readonly day: string; readonly tokens: number; readonly users: number }[]
  readonly users: { readonly did: string; readonly tokens: number }[]
}

/** Returns the tokens that count against a budget, including cached input, which providers count as input. */
export const countedTokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens

/** Adds the tokens of a turn to the day of its holder and its origin, in the transaction that ends the turn. */
export const addTokenUsage = async (
  tx: Transaction<CoreTables>,
  {
    holder,
    origin,
    usage,
    now,
  }: { readonly holder: string; readonly origin: string | null; readonly usage: Usage; readonly now: number },
): Promise<void> => {
  const tokens = countedTokens(usage)
  if (tokens <= 0) return
  const day = utcDay(now)
  const origins = countedOrigins(origin).map(name => ({ day, origin: name, tokens }))
  const originUsage = tx
    .insertInto('core_origin_usage')
    .values(origins)
    .onConflict(conflict =>
      conflict.columns(['day', 'origin']).doUpdateSet({ tokens: sql`core_origin_usage.tokens + excluded.tokens` }),
    )
  await Promise.all([
    runFixed(tx, holderUsage, { day, owner: holder, tokens }),
    origins.length > 0 && originUsage.execute(),
  ])
}

const holderUsage: FixedStatement<CoreTables, CoreRow<'core_token_usage'>, unknown> = (tx, value) =>
  tx
    .insertInto('core_token_usage')
    .values({ day: value('day'), owner: value('owner'), tokens: value('tokens') })
    .onConflict(conflict =>
      conflict.columns(['day', 'owner']).doUpdateSet({ tokens: sql`core_token_usage.tokens + excluded.tokens` }),
    )

/**
 * Creates the store on the storage of the app.
 *
 * @param processId Excludes the turns of this process.
 */
export const createTokenUsageStore = (
  storage: Pick<Storage<CoreTables>, 'engine' | 'read' | 'write'>,
  processId: string,
) => ({
  /** Returns the stored tokens of a UTC day ('2026-11-21'). */
  async tokens(day: string, user: TokenUser): Promise<number> {
    if (user !== 'oracle' && 'origin' in user) {
      const row = await storage.read
        .selectFrom('core_origin_usage')
        .where(eb => eb.and({ day, origin: user.origin }))
        .select('tokens')
        .executeTakeFirst()
      return Number(row?.tokens ?? 0)
    }
    const rows = storage.read.selectFrom('core_token_usage').where('day', '=', day)
    // A user who was erased today has still used their tokens.
    const { sum } = await (user === 'oracle' ? rows : rows.where('owner', 'in', [user.holder, erasedMark(user.holder)]))
      .select(({ fn }) => fn.sum('tokens').as('sum'))
      .executeTakeFirstOrThrow()
    return Number(sum ?? 0)
  },
  /** Returns the number of turns that run in other processes. */
  async runningElsewhere(user: TokenUser): Promise<number> {
    const turns = storage.read
      .selectFrom('core_turns')
      .where(eb => eb.and({ hooks_called: sql.lit(0), status: 'running' }))
      .where('process_id', '!=', processId)
    const own = () => {
      if (user === 'oracle') return turns
      return 'origin' in user
        ? turns.where(sql<boolean>`substr(origin, 1, length(cast(${user.origin} as text))) = ${user.origin}`)
        : turns.where(({ eb, fn }) => eb(fn.coalesce('holder', 'owner'), '=', user.holder))
    }
    const { count } = await own()
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  },
  /** Returns the tokens of each day from a day on, and of the users with the most. */
  async summary(from: string, max: number): Promise<TokenUsageSummary> {
    const rows = storage.read.selectFrom('core_token_usage').where('day', '>=', from)
    const [days, users] = await Promise.all([
      rows
        .select(({ fn }) => ['day', fn.sum('tokens').as('tokens'), fn.countAll().as('users')])
        .groupBy('day')
        .orderBy('day')
        .execute(),
      rows
        .select(({ fn }) => ['owner as did', fn.sum('tokens').as('tokens')])
        .groupBy('owner')
        .orderBy('tokens', 'desc')
        .limit(max)
        .execute(),
    ])
    return {
      days: days.map(({ day, tokens, users: count }) => ({ day, tokens: Number(tokens), users: Number(count) })),
      users: users.map(({ did, tokens }) => ({ did, tokens: Number(tokens) })),
    }
  },
  /** Deletes earlier days. */
  async forgetBefore(day: string, signal?: AbortSignal): Promise<void> {
    const where = sql<boolean>`day < ${day}`
    await deleteInParts(storage, { table: 'core_token_usage', key: ['day', 'owner'], where: () => where, signal })
    await deleteInParts(storage, { table: 'core_origin_usage', key: ['day', 'origin'], where: () => where, signal })
  },
})

export type TokenUsageStore = ReturnType<typeof createTokenUsageStore>
