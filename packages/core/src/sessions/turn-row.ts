import type { Actor, Channel } from '@sibyl/plugin'
import type { Usage } from '@sibyl/protocol'
import type { CoreTables, TurnStatus } from './core-tables.ts'
import { readJson } from './turn-message.ts'
import type { ToolCounts } from './turn-records.ts'

/** A turn as it is kept. */
export interface TurnRow {
  readonly id: string
  readonly owner: string
  readonly sessionId: string
  readonly answerId: string
  readonly channel: Channel
  readonly actor: Actor
  readonly text: string
  readonly status: TurnStatus
  readonly code: string | undefined
  readonly usage: Usage
  /** The model's name; undefined in rows of before it was kept. */
  readonly model: string | undefined
  /** How often each tool ran, as far as it was stored. */
  readonly tools: ToolCounts
  readonly processId: string
  /** False while a plugin still may refuse it. */
  readonly admitted: boolean
  /** Its last sign of life, by the clock of the database. */
  readonly heartbeatAt: number
  /** When its process last had a reader for it, by the clock of the database. */
  readonly readerSeenAt: number
  /** How long it has given no sign of life, in milliseconds. */
  readonly silentMs: number
  /** How long nobody has read it in another process, in milliseconds. */
  readonly unfollowedMs: number
  /** Whether anybody ever read it in another process. */
  readonly wasFollowed: boolean
  readonly startedAt: number
  /** How long ago it ended, in milliseconds; undefined while it runs. */
  readonly endedAgoMs: number | undefined
  /** The plugins whose `after` hook succeeded, where another one failed. */
  readonly hooksDone: readonly string[]
  /** How often its `after` hooks failed. */
  readonly hooksTries: number
}

/** Turns a row of `core_turns`, with the time at which it was read, into a record. */
export const turnRowOf = (row: CoreTables['core_turns'] & { readonly read_at: number }): TurnRow => ({
  id: row.id,
  owner: row.owner,
  sessionId: row.session_id,
  answerId: row.answer_id,
  channel: row.channel as Channel,
  actor: readJson<Actor>(row.actor, { did: row.owner, via: 'ucan', scopes: [] }),
  text: row.text,
  status: row.status,
  code: row.code ?? undefined,
  usage: readJson<Usage>(row.usage, { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }),
  model: row.model ?? undefined,
  tools: readJson<ToolCounts>(row.tools, {}),
  processId: row.process_id,
  admitted: row.admitted === 1,
  heartbeatAt: Number(row.heartbeat_at),
  readerSeenAt: Number(row.reader_seen_at),
  silentMs: Number(row.read_at) - Number(row.heartbeat_at),
  unfollowedMs: Number(row.read_at) - Number(row.followed_at),
  wasFollowed: Number(row.followed_at) > 0,
  startedAt: Number(row.started_at),
  endedAgoMs: row.ended_at === null ? undefined : Number(row.read_at) - Number(row.ended_at),
  hooksDone: readJson<string[]>(row.hooks_done, []),
  hooksTries: row.hooks_tries,
})
