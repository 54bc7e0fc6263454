import { type Actor, type Host, type Refusal, readConsent, type StartedTurn } from '@sibyl/plugin'
import { type Conversation, instructionsNote } from '../requests/conversation.ts'
import type { Thread } from '../threads/thread-store.ts'

/** A conversation with the session that it goes on in. */
export interface ConversationRun {
  readonly actor: Actor
  readonly thread: Thread
  readonly conversation: Conversation
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** Runs the turn of a conversation: the answer to the approvals that wait, where the message is one, or a new turn. */
export const runConversation = async (
  turns: Host['turns'],
  { actor, thread, conversation, signal }: ConversationRun,
): Promise<{ readonly refused: Refusal } | StartedTurn> => {
  const decision = thread.approvals.length > 0 ? readConsent(conversation.text) : undefined
  if (decision !== undefined) {
    for (const approval of thread.approvals) {
      const decided = await turns.decide(actor, approval, decision)
      if ('refused' in decided) return decided
      if (decided.turn) return decided.turn
    }
  }
  const { text, history, instructions } = conversation
  const note = instructionsNote(instructions)
  return turns.run({
    actor,
    session: thread.session,
    text,
    history,
    ...(note === undefined ? {} : { note }),
    channel: 'openai',
    whenBusy: 'queue',
    approvals: 'ask',
    signal,
  })
}
