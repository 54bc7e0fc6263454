import { narrowAbilities } from '@sibyl/identity'
import type { Actor } from '@sibyl/plugin'
import { joinGrants } from '@sibyl/plugin/host'
import type { MessagePart } from '../../sessions/stored-message.ts'
import type { Approval } from '../store/approval-store.ts'
import type { RequestedTurn } from '../store/requested-turn.ts'
import { noModel, type TurnRow } from '../store/turn.ts'
import type { ApprovalDependencies } from './asking-turn.ts'

/** Options of the turn that continues. */
export type ContinueOptions = Pick<RequestedTurn, 'awaited' | 'clientTools' | 'answerSchema' | 'signal' | 'within'>

/** Returns decided questions in the order of their calls. */
export const inOrder = (approvals: readonly Approval[], parts: readonly MessagePart[]): readonly Approval[] => {
  const order = parts.map(part => part.toolCallId)
  return approvals.toSorted((one, other) => order.indexOf(one.toolCallId) - order.indexOf(other.toolCallId))
}

/**
 * Creates the turn that continues once all questions of another one are answered: it runs the approved calls in order,
 * and continues the same answer, with the model unless the asking turn had none. It has the abilities that both the asking
 * and the deciding actor have. Their grants are checked now, and it ends with either of them.
 *
 * @param asked The turn that asked.
 * @param approvals All of its questions.
 */
export const continueTurn = async (
  { sessions, checkGrant }: Pick<ApprovalDependencies, 'sessions' | 'checkGrant'>,
  actor: Actor,
  asked: TurnRow,
  approvals: readonly Approval[],
  options: ContinueOptions,
): Promise<RequestedTurn> => {
  const answer = await sessions.message(actor.did, asked.sessionId, asked.answerId)
  const parts = answer?.parts ?? []
  const grant = joinGrants(actor.grant, asked.actor.grant)
  const scopes = narrowAbilities(asked.actor.scopes, actor.scopes)
  const both: Actor = { ...actor, scopes, ...(grant && { grant }) }
  const verdict = await checkGrant(both)
  return {
    ...options,
    // If a grant has ended, each call is rejected with the reason.
    actor: verdict.holds ? verdict.actor : both,
    sessionId: asked.sessionId,
    channel: asked.channel,
    text: asked.text,
    messageKey: `approval/${asked.id}`,
    whenBusy: 'queue',
    approvals: 'ask',
    calls: asked.model === noModel ? [] : undefined,
    continues: {
      turnId: asked.id,
      approvals: inOrder(approvals, parts),
      parts,
      answerId: asked.answerId,
    },
  }
}
