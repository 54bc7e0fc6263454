import { type CoreTables, keptUsageDays } from '@sibyl/core/ports'
import { utcDay } from '@sibyl/plugin'
import { type Storage, sql } from '@sibyl/storage'

/** The last activity of a person, after which a page starts. */
export type ActivityKey = readonly [updatedAt: number, did: string]

/** A person with sessions, tokens or credentials, in numbers. Times are milliseconds since 1970. */
export interface PersonActivity {
  readonly did: string
  readonly firstActivityAt: number | undefined
  readonly lastActivityAt: number | undefined
  readonly sessions: number
  readonly tokensToday: number
}

/** Further numbers about one person. */
export interface PersonNumbers {
  /** The latest day first. */
  readonly tokens: readonly { readonly day: string; readonly tokens: number }[]
  readonly pendingApprovals: number
  readonly apiKeys: number
  readonly delegations: number
}

/** Rows of one read of a page. */
const batch = 500

/** Maximum reads of a page: one of people with many sessions each may have fewer people than requested. */
const maxBatches = 10

const dayMs = 86_400_000

/** Returns the UTC days of stored token usage; the key of the table starts with the day. */
const lastDays = (now: number): string[] =>
  Array.from({ length: keptUsageDays + 1 }, (_, ago) => utcDay(now - ago * dayMs))

/** Creates the list on the storage of the app. */
export const createPeopleList = ({ read }: Pick<Storage<CoreTables>, 'read'>, now: () => number) => {
  const latestSessions = (after: ActivityKey | undefined) => {
    const latest = sql<number>`(select max(t.updated_at) from core_sessions t where t.owner = core_sessions.owner)`
    const query = read.selectFrom('core_sessions').select(['owner', 'updated_at', latest.as('latest')])
    const behind = after && sql<boolean>`(updated_at, owner) < (${after[0]}, ${after[1]})`
    return (behind ? query.where(behind) : query).orderBy('updated_at', 'desc').orderBy('owner', 'desc').limit(batch)
  }
  const count = async (table: 'core_api_keys' | 'core_delegations', did: string) => {
    const query = read.selectFrom(table).select(of => of.fn.countAll<number>().as('rows'))
    const row = await query.where('did', '=', did).where('expires_at', '>', now()).executeTakeFirstOrThrow()
    return Number(row.rows)
  }

  return {
    /**
     * Returns the people with sessions, the latest activity first, and the key of the next page. People who become active
     * meanwhile move to the first page.
     */
    async page(after: ActivityKey | undefined, limit: number) {
      const found = new Map<string, number>()
      let last = after
      for (let reads = 0; reads < maxBatches && found.size <= limit; reads += 1) {
        const rows = await latestSessions(last).execute()
        for (const row of rows) {
          last = [Number(row.updated_at), row.owner]
          if (found.size <= limit && Number(row.latest) === last[0]) found.set(row.owner, last[0])
        }
        if (rows.length < batch) {
          last = undefined
          break
        }
      }
      const people = [...found].slice(0, limit)
      const end = people.at(-1)
      return {
        dids: people.map(([did]) => did),
        next: found.size > limit && end ? ([end[1], end[0]] as const) : last,
      }
    },
    /** Returns the activity of people, in the order of their DIDs. */
    async activity(dids: readonly string[]): Promise<PersonActivity[]> {
      if (dids.length === 0) return []
      const [sessions, tokens] = await Promise.all([
        read
          .selectFrom('core_sessions')
          .select(({ fn }) => [
            'owner',
            fn.countAll<number>().as('sessions'),
            fn.min('created_at').as('first'),
            fn.max('updated_at').as('last'),
          ])
          .where('owner', 'in', dids)
          .groupBy('owner')
          .execute(),
        read
          .selectFrom('core_token_usage')
          .select(['owner', 'tokens'])
          .where('day', '=', utcDay(now()))
          .where('owner', 'in', dids)
          .execute(),
      ])
      const sessionsOf = new Map(sessions.map(row => [row.owner, row]))
      const tokensOf = new Map(tokens.map(row => [row.owner, Number(row.tokens)]))
      return dids.map(did => {
        const row = sessionsOf.get(did)
        return {
          did,
          firstActivityAt: row && Number(row.first),
          lastActivityAt: row && Number(row.last),
          sessions: Number(row?.sessions ?? 0),
          tokensToday: tokensOf.get(did) ?? 0,
        }
      })
    },
    async numbers(did: string): Promise<PersonNumbers> {
      const [tokens, pending, apiKeys, delegations] = await Promise.all([
        read
          .selectFrom('core_token_usage')
          .select(['day', 'tokens'])
          .where('day', 'in', lastDays(now()))
          .where('owner', '=', did)
          .orderBy('day', 'desc')
          .execute(),
        read
          .selectFrom('core_approvals')
          .select(of => of.fn.countAll<number>().as('rows'))
          .where('owner', '=', did)
          .where('state', '=', sql.lit('open'))
          .where('kind', '!=', sql.lit('client'))
          .executeTakeFirstOrThrow(),
        count('core_api_keys', did),
        count('core_delegations', did),
      ])
      return {
        tokens: tokens.map(row => ({ day: row.day, tokens: Number(row.tokens) })),
        pendingApprovals: Number(pending.rows),
        apiKeys,
        delegations,
      }
    },
  }
}
