import { type Actor, type ClientTool, type Host, type Refusal, readConsent, type StartedTurn } from '@sibyl/plugin'
import { openaiErrors } from '../errors/openai-errors.ts'
import { type Conversation, instructionsNote, type ToolResult } from '../requests/conversation.ts'
import type { Thread } from '../threads/thread-store.ts'

/** A conversation with the session that it goes on in. */
export interface ConversationRun {
  readonly actor: Actor
  readonly thread: Thread
  readonly conversation: Conversation
  readonly clientTools?: readonly ClientTool[]
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** Runs the turn of a conversation: the answer to the approvals that wait, where the message is one, or a new turn. */
export const runConversation = async (
  turns: Host['turns'],
  { actor, thread, conversation, clientTools = [], signal }: ConversationRun,
): Promise<{ readonly refused: Refusal } | StartedTurn> => {
  if (conversation.results.length > 0) return returnResults(turns, actor, thread, conversation.results, clientTools)
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
    ...(clientTools.length > 0 ? { clientTools } : {}),
    channel: 'openai',
    whenBusy: 'queue',
    approvals: 'ask',
    signal,
  })
}

/** Goes on with the turn whose calls the client ran. Throws `openai_message_missing` where no turn waits for them. */
const returnResults = async (
  turns: Host['turns'],
  actor: Actor,
  { calls }: Thread,
  results: readonly ToolResult[],
  clientTools: readonly ClientTool[],
): Promise<{ readonly refused: Refusal } | StartedTurn> => {
  for (const { toolCallId, output } of results) {
    const approval = calls[toolCallId]
    if (approval === undefined) continue
    const decided = await turns.decide(actor, approval, 'once', { output }, { clientTools })
    if ('refused' in decided) return decided
    if (decided.turn) return decided.turn
  }
  throw openaiErrors.openai_message_missing()
}
