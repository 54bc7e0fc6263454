import { type Actor, isoTime } from '@sibyl/plugin'
import { grantSources } from '@sibyl/plugin/host'
import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { type Storage, sql } from '@sibyl/storage'
import type { CoreTables } from '../../database/core-tables.ts'
import { readJson } from '../../database/stored-json.ts'
import type { ApprovalCounts, PendingApproval } from '../../records/approval-records.ts'

/** The place of a pending approval in the list, after which a page starts. */
export type ApprovalKey = readonly [askedAt: number, id: string]

/** A call that waits for its user. Times are milliseconds since 1970. */
export interface PendingCall extends Omit<PendingApproval, 'mayApprove' | 'askedAt' | 'expiresAt'> {
  /** The abilities of which the tool needs one. */
  readonly abilities: readonly string[]
  readonly askedAt: number
  /** When the first delegation of its turn expires. */
  readonly expiresAt: number | undefined
}

/** A call that waits for its user, without its contents. Times are milliseconds since 1970. */
export interface WaitingCall extends Pick<PendingCall, 'id' | 'kind' | 'channel' | 'tool' | 'askedAt' | 'expiresAt'> {
  readonly owner: string
}

const hourMs = 3_600_000

/** Selects the open calls with their turns. */
const pendingCalls = (db: Pick<Storage<CoreTables>['read'], 'selectFrom'>) =>
  db
    .selectFrom('core_approvals as a')
    .innerJoin('core_turns as t', 't.id', 'a.turn_id')
    .where('a.state', '=', sql.lit('open'))
    .where('a.kind', '!=', sql.lit('client'))

/** Creates the list on the storage of the app. */
export const createPendingApprovals = ({ read }: Pick<Storage<CoreTables>, 'read'>, now: () => number) => ({
  /** Returns those of a user, the latest first. */
  async list(owner: string, limit: number, after?: ApprovalKey): Promise<PendingCall[]> {
    let query = pendingCalls(read)
      .innerJoin('core_sessions as s', join => join.onRef('s.owner', '=', 'a.owner').onRef('s.id', '=', 'a.session_id'))
      .selectAll('a')
      .select(['s.title', 't.channel', 't.actor'])
      .where('a.owner', '=', owner)
    if (after !== undefined) query = query.where(sql<boolean>`(a.created_at, a.id) < (${after[0]}, ${after[1]})`)
    const rows = await query.orderBy('a.created_at', 'desc').orderBy('a.id', 'desc').limit(limit).execute()
    return rows.map(row => ({
      id: row.id,
      kind: kindOf(row.kind),
      sessionId: row.session_id,
      sessionTitle: row.title,
      channel: row.channel,
      turnId: row.turn_id,
      toolCallId: row.tool_call_id,
      tool: row.tool,
      abilities: readJson<string[]>(row.abilities, []),
      input: readJson<JsonValue>(row.input, null),
      question: row.question,
      schema: row.answer_schema === null ? undefined : readJson<JsonObject>(row.answer_schema, {}),
      askedAt: Number(row.created_at),
      expiresAt: expiryOf(row.actor),
    }))
  },
  /** Returns those of all users, the oldest first. @param channel Only those of turns of this channel. */
  async listAll({
    limit,
    after,
    channel,
  }: {
    readonly limit: number
    readonly after?: ApprovalKey | undefined
    readonly channel?: string | undefined
  }): Promise<WaitingCall[]> {
    let query = pendingCalls(read).select([
      'a.id',
      'a.kind',
      'a.owner',
      'a.tool',
      'a.created_at',
      't.channel',
      't.actor',
    ])
    if (channel !== undefined) query = query.where('t.channel', '=', channel)
    if (after !== undefined) query = query.where(sql<boolean>`(a.created_at, a.id) > (${after[0]}, ${after[1]})`)
    const rows = await query.orderBy('a.created_at').orderBy('a.id').limit(limit).execute()
    return rows.map(row => ({
      id: row.id,
      kind: kindOf(row.kind),
      owner: row.owner,
      channel: row.channel,
      tool: row.tool,
      askedAt: Number(row.created_at),
      expiresAt: expiryOf(row.actor),
    }))
  },
  /** Counts those of all users. */
  async count(): Promise<ApprovalCounts> {
    const at = now()
    const since = (ms: number) => sql<number>`count(case when created_at > ${at - ms} then 1 end)`
    const rows = await read
      .with('pending', db => pendingCalls(db).select(['a.owner', 'a.created_at', 't.channel']))
      .selectFrom('pending')
      .select(({ fn, selectFrom }) => [
        'channel',
        fn.countAll<number>().as('pending'),
        fn.min('created_at').as('oldest'),
        selectFrom('pending').select(sql<number>`count(distinct owner)`.as('people')).as('people'),
        since(hourMs).as('hour'),
        since(24 * hourMs).as('day'),
        since(7 * 24 * hourMs).as('week'),
      ])
      .groupBy('channel')
      .orderBy('pending', 'desc')
      .orderBy('channel')
      .execute()
    const sum = (age: 'pending' | 'hour' | 'day' | 'week') => rows.reduce((total, row) => total + Number(row[age]), 0)
    const [pending, hour, day, week] = [sum('pending'), sum('hour'), sum('day'), sum('week')]
    return {
      pending,
      people: Number(rows[0]?.people ?? 0),
      ...(rows.length > 0 && { oldestAskedAt: isoTime(Math.min(...rows.map(({ oldest }) => Number(oldest)))) }),
      ages: { lastHour: hour, lastDay: day - hour, lastWeek: week - day, older: pending - week },
      channels: rows.map(row => ({ channel: row.channel, pending: Number(row.pending) })),
    }
  },
})

/** Lists the calls that wait for a user, over all sessions; not those that a client runs. */
export type PendingApprovals = ReturnType<typeof createPendingApprovals>

const kindOf = (kind: string): PendingCall['kind'] => (kind === 'approval' ? 'approval' : 'question')

/** Returns the time at which the first delegation of a stored actor expires, in milliseconds. */
const expiryOf = (actor: string): number | undefined => {
  const { grant } = readJson<Partial<Actor>>(actor, {})
  const times = (grant ? grantSources(grant) : []).flatMap(({ links = [] }) => links.map(link => link.expiresAt * 1000))
  return times.length === 0 ? undefined : Math.min(...times)
}
