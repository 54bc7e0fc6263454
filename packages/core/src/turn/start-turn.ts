import { type ClientTool, newId, type ToolRequest, type TurnRecord } from '@sibyl/plugin'
import type { Usage } from '@sibyl/protocol'
import type { SessionStore } from '../sessions/session-store.ts'
import { type MessagePart, textOf } from '../sessions/stored-message.ts'
import type { AnswerSchema } from './answer-schema.ts'
import type { Approval } from './approval-store.ts'
import { noUsage, type TurnClaim } from './turn.ts'

/** A requested turn. */
export interface StartTurn
  extends Pick<TurnRecord, 'actor' | 'sessionId' | 'channel' | 'text'>,
    Pick<TurnClaim, 'message' | 'history' | 'messageKey' | 'nonce' | 'regenerate' | 'replaces' | 'within'> {
  /** A text that the oracle adds for this turn alone. */
  readonly note?: string
  /**
   * Makes the message that is stored, with its attachments, once the session is claimed and no plugin refuses the turn. An
   * error withdraws the turn.
   */
  readonly completeMessage?: () => Promise<NonNullable<StartTurn['message']>>
  /** Tools that the client runs. */
  readonly clientTools?: readonly ClientTool[]
  /** Calls of the client in place of the model; none in a turn that goes on with them after an approval. */
  readonly calls?: readonly ToolRequest[]
  /** Capabilities that the session loads first. */
  readonly capabilities?: readonly string[]
  /** The form of the answer; its text is then JSON, and comes in one piece. */
  readonly answerSchema?: AnswerSchema
  /** When a turn runs there: wait, refuse, or refuse only while it has a reader and stop it otherwise. */
  readonly whenBusy: 'queue' | 'refuse' | 'supersede'
  readonly approvals: 'ask' | 'deny'
  readonly timeLimitMs?: number
  readonly signal?: AbortSignal
  /** With a turn that goes on after an approval: what was decided, and the answer so far. */
  readonly continues?: {
    /** The turn that asked. */
    readonly turnId: string
    readonly answerId: string
    readonly approvals: readonly Approval[]
    readonly parts: readonly MessagePart[]
  }
  /** Whether the caller waits for the end rather than reads the stream. */
  readonly awaited: boolean
}

/** The name that is stored as the model of a turn that consists of a client's calls. */
export const noModel = 'none'

/** Returns the name of the model of a turn; `none` if it consists of a client's calls, unless an agent among them used tokens. */
export const modelOf = (
  { calls }: Pick<StartTurn, 'calls'>,
  modelName: string,
  { inputTokens, outputTokens }: Usage = noUsage,
): string => (calls && inputTokens + outputTokens === 0 ? noModel : modelName)

/** Returns the claim of a requested turn. */
export const claimOf = (
  {
    actor,
    sessionId,
    channel,
    text,
    message,
    history,
    messageKey,
    nonce,
    regenerate,
    replaces,
    continues,
    within,
  }: StartTurn,
  facts: Pick<TurnClaim, 'admitted' | 'model' | 'processId' | 'startedAt'>,
): TurnClaim => ({
  id: newId('turn'),
  answerId: continues?.answerId ?? newId('msg'),
  actor,
  sessionId,
  channel,
  text,
  ...(message ? { message } : {}),
  ...(history && history.length > 0 ? { history } : {}),
  ...(messageKey === undefined ? {} : { messageKey }),
  ...(nonce ? { nonce } : {}),
  ...(regenerate ? { regenerate } : {}),
  ...(replaces ? { replaces } : {}),
  ...(continues ? { continues: continues.turnId } : {}),
  ...(within ? { within } : {}),
  ...facts,
})

/** Returns the stored question that is to be answered again; the client's history does not count. */
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
