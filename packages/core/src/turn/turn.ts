import type { MessageMetadata, Outcome, Usage } from '@sibyl/protocol'
import type { Actor } from '../auth/actor.ts'
import type { Channel } from '../plugins/turn.ts'
import type { CoreTables, TurnStatus } from '../sessions/core-tables.ts'
import type { SpentNonce } from '../sessions/spent-nonce.ts'
import { type MessagePart, readJson } from '../sessions/stored-message.ts'
import type { StreamEvent } from './turn-stream.ts'

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

/** What a turn starts with. */
export interface TurnStart {
  readonly turnId: string
  readonly answerId: string
  readonly actor: Actor
  readonly sessionId: string
  readonly channel: Channel
  readonly text: string
  /** The user's message; none when a turn goes on after an approval or answers anew. */
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] }
  readonly messageKey?: string
  readonly nonce?: SpentNonce
  /** Drops an answer and what follows it first: the one named, or the last. One that must not be repeated blindly stays. */
  readonly regenerate?: { readonly messageId?: string }
  /** The turn whose approved calls this one runs. */
  readonly continues?: string
  /** Whether nobody can refuse it any more; else `admit` or `withdraw` follows. */
  readonly admitted: boolean
  /** The name of the model that is to answer. */
  readonly model: string
  readonly processId: string
  readonly now: number
}

/** What a running turn stores on its way. */
export interface TurnProgress {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly answer?: TurnAnswer
  readonly events?: TurnEvents
  readonly hasReader: boolean
  /** What the finished steps used. */
  readonly usage: Usage
  readonly tools: ToolCounts
  readonly now: number
}

/** How often each tool ran, by its name. */
export type ToolCounts = Readonly<Record<string, number>>

/** What other processes tell a running turn. */
export interface TurnSigns {
  /** Somebody asked it to stop, or it was ended without its process. */
  readonly stop: boolean
  /** How long nobody has read it in another process, in milliseconds. */
  readonly unfollowedMs: number
}

/** The assistant's message that a turn writes. */
export interface TurnAnswer {
  readonly id: string
  readonly parts: readonly MessagePart[]
  readonly metadata: MessageMetadata
}

/** Events not yet stored: the first one's number and one JSON a line. */
export interface TurnEvents {
  readonly firstId: number
  readonly body: string
}

/** What a turn leaves behind, in one transaction. */
export interface TurnEndRecord {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  readonly answer: TurnAnswer
  readonly status: Exclude<TurnStatus, 'running'>
  readonly code?: string
  readonly usage: Usage
  readonly tools: ToolCounts
  readonly hooksCalled: boolean
  readonly events?: TurnEvents
  /** With a turn whose process is gone: only when it gave no sign of life for so many milliseconds, if a number. */
  readonly left?: { readonly silentForMs: number | undefined }
  readonly now: number
}

/** Why a running turn was cut short. */
export type CutReason = 'stopped' | 'superseded' | 'time_limit' | 'too_large' | 'shutdown'

/** How a turn ended, before it is stored. */
export interface TurnEnding {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly steps: number
  readonly finishReason: string
  /** With `failed` and `interrupted`: stable, snake_case. */
  readonly code?: string
  /** With `failed` and `interrupted`: safe to show. */
  readonly text?: string
}

/** What a person reads when a turn was cut short. */
const cutText: Readonly<Record<CutReason, string>> = {
  stopped: 'Stopped.',
  superseded: 'Stopped by a newer message.',
  time_limit: 'The answer took longer than this oracle allows. Ask again, or for less.',
  too_large: 'The answer grew larger than this oracle allows. Ask for less.',
  shutdown: 'The oracle is shutting down. Ask again in a moment.',
}

/** The ending of a turn that was cut short. */
export const cutEnding = (
  reason: CutReason,
  { usage, steps }: { readonly usage: Usage; readonly steps: number },
): TurnEnding => {
  const facts = { usage, steps, finishReason: 'other', text: cutText[reason] }
  if (reason === 'stopped' || reason === 'superseded') return { ...facts, outcome: 'stopped' }
  if (reason === 'shutdown') return { ...facts, outcome: 'interrupted', code: 'turn_interrupted' }
  return { ...facts, outcome: 'failed', code: reason === 'time_limit' ? 'turn_time_limit' : 'turn_too_large' }
}

/** The one event that ends the stream. */
export const finalEvent = (ending: TurnEnding, metadata: MessageMetadata): StreamEvent => {
  if (ending.outcome === 'stopped') return { type: 'abort', reason: ending.text ?? 'Stopped.' }
  if (ending.outcome === 'failed' || ending.outcome === 'interrupted') {
    return { type: 'error', errorText: ending.text ?? 'The turn failed.', code: ending.code ?? 'turn_failed' }
  }
  return { type: 'finish', finishReason: ending.finishReason, messageMetadata: metadata }
}
