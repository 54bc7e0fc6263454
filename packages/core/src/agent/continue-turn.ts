import { narrowAbilities } from '@sibyl/identity'
import type { Actor } from '../auth/actor.ts'
import type { Approval } from '../sessions/approval-store.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { TurnRow } from '../sessions/turn-row.ts'
import type { StartTurn } from './start-turn.ts'

/**
 * The turn that goes on once all questions of another one are answered: it runs the approved calls in the order in which
 * they were made, and writes on in the same answer. It may do what both may: whoever asked, and whoever decided.
 *
 * @param asked The turn that asked.
 * @param approvals All of its questions.
 */
export const continueTurn = async (
  sessions: SessionStore,
  actor: Actor,
  asked: TurnRow,
  approvals: readonly Approval[],
  awaited: boolean,
): Promise<StartTurn> => {
  const messages = await sessions.messages(actor.did, asked.sessionId)
  const parts = messages.find(message => message.id === asked.answerId)?.parts ?? []
  const order = parts.map(part => part.toolCallId)
  return {
    actor: { ...actor, scopes: narrowAbilities(asked.actor.scopes, actor.scopes) },
    sessionId: asked.sessionId,
    channel: asked.channel,
    text: asked.text,
    messageKey: `approval/${asked.id}`,
    whenBusy: 'queue',
    approvals: 'ask',
    continues: {
      turnId: asked.id,
      approvals: approvals.toSorted((one, other) => order.indexOf(one.toolCallId) - order.indexOf(other.toolCallId)),
      parts,
      answerId: asked.answerId,
    },
    awaited,
  }
}
