import { modelFailureText } from '@sibyl/models'
import type { Actor, TurnRecord, TurnRequest } from '@sibyl/plugin'
import type { Channel, EarlierMessage } from '@sibyl/plugin/host'
import type { MessageMetadata, Outcome, Usage } from '@sibyl/protocol'
import type { SpentNonce } from '../../auth/revocation-store.ts'
import type { CoreRow, TurnStatus } from '../../database/core-tables.ts'
import { readJson } from '../../database/stored-json.ts'
import type { EndedTiming } from '../../database/stored-timings.ts'
import type { MessagePart } from '../../sessions/stored-message.ts'
import { unstoredEnds } from '../stream/unstored-ends.ts'

/**
 * A phase in the life of a turn:
 *
 * 1. `claimed`: its row holds the session; plugins may still refuse it, which withdraws the row.
 * 2. `running`: it is admitted, and the model loop runs.
 * 3. `waiting`: a tool call is suspended until a person has answered; a later turn goes on with it.
 * 4. `ending`: it takes no more events, and its end is being stored.
 * 5. `stored`: its end is in the database, and the session is free.
 */
export type TurnPhase = 'claimed' | 'running' | 'waiting' | 'ending' | 'stored'

const transitions: Readonly<Record<TurnPhase, readonly TurnPhase[]>> = {
  claimed: ['running'],
  running: ['waiting', 'ending'],
  waiting: ['ending'],
  ending: ['stored'],
  stored: [],
}

/** Returns the phase after a transition. Throws `RangeError` where there is no such transition. */
export const nextPhase = (phase: TurnPhase, next: TurnPhase): TurnPhase => {
  if (transitions[phase].includes(next)) return next
  throw new RangeError(`A turn cannot go from '${phase}' to '${next}'.`)
}

/** The fields of a turn that never change. */
export interface TurnFields extends TurnRecord {
  /** The assistant's message that it writes. */
  readonly answerId: string
}

/** The fields that name a turn in the database. */
export type TurnKey = Pick<TurnFields, 'id' | 'actor' | 'sessionId'>

/** A turn as it claims its session. */
export interface TurnClaim extends TurnFields {
  /** The user's message; none when a turn goes on after an approval or answers again. */
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] } | undefined
  /** Earlier messages that a client holds; stored where the turn creates the session. */
  readonly history?: readonly EarlierMessage[] | undefined
  /** Equal for repeats of the same request. */
  readonly messageKey?: string | undefined
  readonly nonce?: SpentNonce | undefined
  /** Drops an answer and what follows it first: the named one, or the last. One that must not be repeated blindly stays. */
  readonly regenerate?: { readonly messageId?: string | undefined } | undefined
  /** Replaces a user message and everything after it, if the session has it. */
  readonly replaces?: { readonly messageId: string } | undefined
  /** The turn whose approved calls this one runs. */
  readonly continues?: string | undefined
  /** Writes of a plugin when the turn is admitted. */
  readonly within?: TurnRequest['within']
  /** JSON: what another process needs to continue it besides its row; undefined if none can. */
  readonly resumable?: string | undefined
  /** Whether no plugin can refuse it; else `admit` or `withdraw` follows. */
  readonly admitted: boolean
  /** The name of the model that is to answer. */
  readonly model: string
  readonly processId: string
}

/** The session that a turn has claimed. */
export interface ClaimedSession {
  readonly createdSession: boolean
  readonly loadedPlugins: readonly string[]
  readonly approvedTools: readonly string[]
}

/** A place from which another process can continue a turn. */
export interface TurnCheckpoint {
  /** The number of the last event before it. */
  readonly event: number
  /** The parts of the answer before it. */
  readonly parts: number
  /** Finished steps. */
  readonly steps: number
  /** Whether the calls of a step begin here; events after it are their results. Otherwise the model is called next. */
  readonly calls: boolean
  /** The number of times that a process continued the turn, in all and from here. */
  readonly resumptions: number
  readonly tries: number
}

/** The number of runs of each tool, by its name. */
export type ToolCounts = Readonly<Record<string, number>>

/** The writes of a turn since it was stored last. */
interface TurnWrites {
  readonly turnId: string
  readonly owner: string
  readonly sessionId: string
  /** The assistant's message. */
  readonly answer?:
    | { readonly id: string; readonly parts: readonly MessagePart[]; readonly metadata: MessageMetadata }
    | undefined
  /** Events not yet stored: the first one's number and one JSON a line. */
  readonly events?: { readonly firstId: number; readonly body: string } | undefined
  /** Whether an earlier turn may have begun the answer: what it stored of it is counted. */
  readonly mayContinue: boolean
  /** The usage of the finished steps. */
  readonly usage: Usage
  readonly tools: ToolCounts
  readonly now: number
}

/** The progress of a running turn. */
export interface ProgressRecord extends TurnWrites {
  readonly hasReader: boolean
  readonly checkpoint?: TurnCheckpoint | undefined
}

/** The reply of other processes to a running turn. */
export interface ProgressReply {
  /** A stop was requested, or another process ended the turn. */
  readonly stop: boolean
  /** The time since another process read it, in milliseconds. */
  readonly unfollowedMs: number
}

/** The end of a turn, stored in one transaction. */
export interface EndRecord extends TurnWrites {
  readonly status: Exclude<TurnStatus, 'running'>
  readonly code?: string | undefined
  readonly hooksCalled: boolean
  /** Missing if timings are not stored. */
  readonly timing?: EndedTiming | undefined
  /** With a turn whose process is gone: only when it gave no sign of life for so many milliseconds, if a number. */
  readonly left?: { readonly silentForMs: number | undefined }
}

/** Returns what plugins read of a turn. */
export const turnRecordOf = ({ id, actor, sessionId, text, channel, startedAt }: TurnRecord): TurnRecord => ({
  id,
  actor,
  sessionId,
  text,
  channel,
  startedAt,
})

/** Reads a row of `core_turns`, with the time at which it was read. */
export const turnRowOf = (row: CoreRow<'core_turns'> & { readonly read_at: number }) => ({
  id: row.id,
  owner: row.owner,
  sessionId: row.session_id,
  answerId: row.answer_id,
  channel: row.channel as Channel,
  actor: readJson<Actor>(row.actor, { did: row.owner, via: 'ucan', scopes: [] }),
  text: row.text,
  status: row.status,
  code: row.code ?? undefined,
  usage: readJson<Usage>(row.usage, noUsage),
  model: row.model ?? undefined,
  tools: readJson<ToolCounts>(row.tools, {}),
  processId: row.process_id,
  /** False while a plugin still may refuse it. */
  admitted: row.admitted === 1,
  stopRequested: row.stop_requested === 1,
  /** That of `TurnClaim`. */
  resumable: row.request ?? undefined,
  checkpoint: row.checkpoint === null ? undefined : (JSON.parse(row.checkpoint) as TurnCheckpoint),
  heartbeatAt: Number(row.heartbeat_at),
  readerSeenAt: Number(row.reader_seen_at),
  /** The time since its last sign of life, in milliseconds. */
  silentMs: Number(row.read_at) - Number(row.heartbeat_at),
  /** The time since another process read it, in milliseconds. */
  unfollowedMs: Number(row.read_at) - Number(row.followed_at),
  wasFollowed: Number(row.followed_at) > 0,
  startedAt: Number(row.started_at),
  /** The time since its end, in milliseconds. */
  endedAgoMs: row.ended_at === null ? undefined : Number(row.read_at) - Number(row.ended_at),
  hooksDone: readJson<string[]>(row.hooks_done, []),
  hooksTries: row.hooks_tries,
})

/** A turn as it is stored. */
export type TurnRow = Readonly<ReturnType<typeof turnRowOf>>

/** The usage of a turn that did not finish its first step. */
export const noUsage: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

/** The name that is stored as the model of a turn that consists of a client's calls. */
export const noModel = 'none'

/** Returns the name of the model of a turn; `none` if it consists of a client's calls, unless an agent among them used tokens. */
export const modelOf = (
  { calls }: { readonly calls?: readonly unknown[] | undefined },
  modelName: string,
  { inputTokens, outputTokens }: Usage = noUsage,
): string => (calls && inputTokens + outputTokens === 0 ? noModel : modelName)

/** Returns the sum of two usages. */
export const usageSum = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

/** The reason why a running turn was interrupted. */
export type CutReason = 'stopped' | 'superseded' | 'time_limit' | 'too_large' | 'shutdown' | 'handed_over'

/** The end of a turn before it is stored. */
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

const cutText: Readonly<Record<CutReason, string>> = {
  stopped: 'Stopped.',
  superseded: 'Stopped by a newer message.',
  time_limit: 'The answer exceeded the time limit of this oracle. Ask again, or ask for less.',
  too_large: 'The answer exceeded the size limit of this oracle. Ask for less.',
  shutdown: 'The oracle is shutting down. Ask again in a moment.',
  handed_over: 'The oracle is shutting down. It continues this answer after its restart.',
}

/** Returns the ending of a turn that was interrupted. */
export const cutEnding = (
  reason: CutReason,
  { usage, steps }: { readonly usage: Usage; readonly steps: number },
): TurnEnding => {
  const facts = { usage, steps, finishReason: 'other', text: cutText[reason] }
  if (reason === 'stopped' || reason === 'superseded') return { ...facts, outcome: 'stopped' }
  if (reason === 'shutdown' || reason === 'handed_over')
    return { ...facts, outcome: 'interrupted', code: 'turn_interrupted' }
  return { ...facts, outcome: 'failed', code: reason === 'time_limit' ? 'turn_time_limit' : 'turn_too_large' }
}

/** Returns the text of a stored code of a turn that failed or was interrupted. */
export const failureText = (code: string): string =>
  code === 'turn_time_limit'
    ? cutText.time_limit
    : code === 'turn_interrupted'
      ? unstoredEnds.interrupted.event.errorText
      : modelFailureText(code)

/** Whether a turn of that outcome may leave calls without a result. */
export const leavesCalls = (outcome: Outcome): boolean => outcome !== 'done' && outcome !== 'awaiting-approval'
