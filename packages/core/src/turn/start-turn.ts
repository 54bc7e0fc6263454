import { randomBytes } from 'node:crypto'
import type { Actor } from '../auth/actor.ts'
import type { Channel } from '../plugins/turn.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { SpentNonce } from '../sessions/spent-nonce.ts'
import { type MessagePart, textOf } from '../sessions/stored-message.ts'
import type { BeginResult } from './claim-turn.ts'
import type { RunningTurn, RunningTurnFacts } from './running-turn.ts'
import type { TurnStart } from './turn.ts'
import type { EngineRefusal } from './turn-refusals.ts'
import type { TurnLog } from './turn-stream.ts'

/** A turn to start. */
export interface StartTurn {
  readonly actor: Actor
  readonly sessionId: string
  readonly channel: Channel
  readonly text: string
  /** What the oracle itself adds for this turn alone. */
  readonly note?: string
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] }
  /**
   * Makes the message that is kept, with what it brings, once the session is claimed and no plugin refuses the turn. What it
   * throws takes the turn back.
   */
  readonly completeMessage?: () => Promise<NonNullable<StartTurn['message']>>
  readonly messageKey?: string
  readonly nonce?: SpentNonce
  /** Answer the last question anew: instead of the named answer and what follows it, or of the last one. */
  readonly regenerate?: { readonly messageId?: string }
  /** When a turn runs there: wait, refuse, or refuse only while somebody reads it and stop it otherwise. */
  readonly whenBusy: 'queue' | 'refuse' | 'supersede'
  readonly approvals: 'ask' | 'deny'
  readonly timeLimitMs?: number
  readonly signal?: AbortSignal
  readonly continues?: NonNullable<RunningTurnFacts['continues']> & {
    readonly answerId: string
    /** The turn that asked. */
    readonly turnId: string
  }
  /** Whether the caller waits for the end rather than reads the stream. */
  readonly awaited: boolean
}

/** A turn to read: new, running or over. */
export interface ReadableTurn {
  readonly turnId: string
  readonly log: TurnLog
  /** Set while the turn runs in this process. */
  readonly running?: RunningTurn
}

/** A refusal instead of a turn. */
export interface Refused {
  readonly refused: EngineRefusal
}

/** A random id that tells what it is of. @example newId('turn')  // 'turn_V1StGXR8Z5jdHi6B' */
export const newId = (kind: string) => `${kind}_${randomBytes(12).toString('base64url')}`

/**
 * A request as the store begins it.
 *
 * @param admitted Whether no plugin can refuse it.
 * @param model The name of the model that is to answer.
 */
export const turnStartOf = (
  request: StartTurn,
  nonce: SpentNonce | undefined,
  admitted: boolean,
  model: string,
  processId: string,
  now: number,
): TurnStart => ({
  turnId: newId('turn'),
  answerId: request.continues?.answerId ?? newId('msg'),
  actor: request.actor,
  sessionId: request.sessionId,
  channel: request.channel,
  text: request.text,
  ...(request.message ? { message: request.message } : {}),
  ...(request.messageKey === undefined ? {} : { messageKey: request.messageKey }),
  ...(nonce ? { nonce } : {}),
  ...(request.regenerate ? { regenerate: request.regenerate } : {}),
  ...(request.continues ? { continues: request.continues.turnId } : {}),
  admitted,
  model,
  processId,
  now,
})

/** What a turn that has begun runs with. */
export const runningFactsOf = (
  request: StartTurn,
  start: TurnStart,
  begun: Extract<BeginResult, { kind: 'started' }>,
): RunningTurnFacts => ({
  id: start.turnId,
  actor: request.actor,
  sessionId: request.sessionId,
  answerId: start.answerId,
  text: request.text,
  channel: request.channel,
  approvals: request.approvals,
  ...(request.note === undefined ? {} : { note: request.note }),
  loadedPlugins: begun.loadedPlugins,
  approvedTools: begun.approvedTools,
  ...(begun.createdSession && request.message && !request.completeMessage ? { firstMessage: request.message } : {}),
  startedAt: start.now,
  awaited: request.awaited,
  ...(request.continues ? { continues: request.continues } : {}),
})

/** The question to answer anew, as it is stored; the client's history does not count. */
export const questionToAnswer = async (
  sessions: SessionStore,
  { actor, sessionId, regenerate }: StartTurn,
): Promise<string | undefined> => {
  const messages = await sessions.messages(actor.did, sessionId)
  const named = messages.findIndex(message => message.id === regenerate?.messageId)
  const before = named < 0 ? messages : messages.slice(0, named + 1)
  const asked = before.findLast(message => message.role === 'user')
  return asked && textOf(asked.parts)
}
