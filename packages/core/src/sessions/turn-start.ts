import type { Actor, Channel } from '@sibyl/plugin'
import type { SpentNonce } from './spent-nonce.ts'
import type { MessagePart } from './turn-message.ts'

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
