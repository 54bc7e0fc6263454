import type { Actor } from '../auth/actor.ts'
import type { Channel } from '../plugins/turn.ts'
import type { SpentNonce } from '../sessions/spent-nonce.ts'
import type { MessagePart } from '../sessions/turn-message.ts'
import type { TurnLog } from '../stream/turn-log.ts'
import type { RunningTurn, RunningTurnFacts } from './running-turn.ts'
import type { EngineRefusal } from './turn-refusals.ts'

/** A turn to start. */
export interface StartTurn {
  readonly actor: Actor
  readonly sessionId: string
  readonly channel: Channel
  readonly text: string
  readonly message?: { readonly id: string; readonly parts: readonly MessagePart[] }
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
