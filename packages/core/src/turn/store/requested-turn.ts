import type { TurnRecord, TurnRequest } from '@sibyl/plugin'
import type { ClientTool, ToolRequest } from '@sibyl/plugin/host'
import type { ZodType } from 'zod'
import type { MessagePart } from '../../sessions/stored-message.ts'
import type { Approval } from './approval-store.ts'
import type { TurnClaim } from './turn.ts'

/** The form that the answer of a turn must have. */
export interface AnswerSchema {
  /** The text for the model about the form of its answer. */
  readonly note: string
  /** Its JSON Schema, as JSON. */
  readonly form: string
  /** The schema of a plugin, which checks the answer in its place; not in another process that continues the turn. */
  readonly check?: ZodType | undefined
}

export interface RequestedTurn
  extends Pick<TurnRecord, 'actor' | 'sessionId' | 'channel' | 'text'>,
    Pick<TurnClaim, 'message' | 'history' | 'messageKey' | 'nonce' | 'regenerate' | 'replaces' | 'within'> {
  /** A text that the oracle adds for this turn alone. */
  readonly note?: string | undefined
  /**
   * Makes the message that is stored, with its attachments, once the session is claimed and no plugin refuses the turn. An
   * error withdraws the turn.
   */
  readonly completeMessage?: (() => Promise<NonNullable<RequestedTurn['message']>>) | undefined
  /** Tools that the client runs. */
  readonly clientTools?: readonly ClientTool[] | undefined
  readonly toolChoice?: TurnRequest['toolChoice']
  /** Calls of the client in place of the model; none in a turn that goes on with them after an approval. */
  readonly calls?: readonly ToolRequest[] | undefined
  /** Capabilities that the session loads first. */
  readonly capabilities?: readonly string[] | undefined
  /** The form of the answer; its text is then JSON, and comes in one piece. */
  readonly answerSchema?: AnswerSchema | undefined
  /** When a turn runs there: wait, refuse, or refuse only while it has a reader and stop it otherwise. */
  readonly whenBusy: 'queue' | 'refuse' | 'supersede'
  readonly approvals: 'ask' | 'deny'
  readonly timeLimitMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** With a turn that goes on after an approval: what was decided, and the answer so far. */
  readonly continues?:
    | {
        /** The turn that asked. */
        readonly turnId: string
        readonly answerId: string
        readonly approvals: readonly Approval[]
        readonly parts: readonly MessagePart[]
      }
    | undefined
  /** Whether the caller waits for the end rather than reads the stream. */
  readonly awaited: boolean
}
