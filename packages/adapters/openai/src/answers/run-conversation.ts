import { type Actor, type Host, type Refusal, readConsent, type StartedTurn, type TurnRequest } from '@sibyl/plugin'
import type { PendingCall } from '@sibyl/plugin/host'
import type { JsonObject } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'
import { byName, type Conversation, instructionsNote } from '../requests/conversation.ts'
import type { ChosenTools } from '../requests/function-tool.ts'

/** The most characters of an approval question that an answer shows. */
export const maxQuestion = 16_000

/** A conversation with the session that it goes on in. */
export interface ConversationRun {
  readonly actor: Actor
  readonly session: string
  readonly conversation: Conversation
  readonly tools: Pick<ChosenTools, 'clientTools' | 'toolChoice'>
  /** JSON Schema of the answer. */
  readonly outputSchema: JsonObject | undefined
  readonly within: NonNullable<TurnRequest['within']>
  /** Returns the approvals whose questions the last answer showed. */
  readonly asked: () => Promise<readonly string[]>
}

/** A turn that waits still: a part of what it waits for was answered. */
export interface WaitingTurn {
  readonly turnId: string
  readonly pending: readonly PendingCall[]
}

/**
 * Runs the turn of a conversation: the answer to what its session waits for, where the message is one, or a new turn.
 *
 * @throws `openai_message_missing` for results that no turn waits for
 */
export const runConversation = async (
  turns: Host['turns'],
  run: ConversationRun,
): Promise<{ readonly refused: Refusal } | StartedTurn | WaitingTurn> => {
  const { actor, session, conversation, tools, outputSchema, within, asked } = run
  const { text, history, instructions, results, files } = conversation
  const pending = results.length > 0 || readConsent(text) ? await turns.pending(actor.did, session) : []
  const answers = pending.length === 0 ? [] : answersOf(conversation, pending, await asked())
  if (answers.length > 0) return answerPending(turns, run, answers)
  if (results.length > 0) throw openaiErrors.openai_message_missing()
  const note = instructionsNote(instructions)
  return turns.run({
    actor,
    session,
    text,
    ...(files.length > 0 ? { files } : {}),
    history,
    note,
    ...tools,
    ...(outputSchema ? { outputSchema } : {}),
    channel: 'openai',
    whenBusy: 'queue',
    approvals: 'ask',
    within,
  })
}

/** The answer to a call that waits. */
interface Answer {
  readonly approvalId: string
  readonly decision: 'once' | 'session' | 'deny'
  readonly data?: { readonly output: string }
}

/** Returns the answers in a conversation: results of the client's calls, or the user's yes or no to the shown questions. */
const answersOf = (
  { text, results }: Conversation,
  pending: readonly PendingCall[],
  asked: readonly string[],
): Answer[] => {
  const decision = readConsent(text)
  return pending.flatMap(({ kind, approvalId, toolCallId, tool }): Answer[] => {
    if (kind !== 'client') return decision && asked.includes(approvalId) ? [{ approvalId, decision }] : []
    const result = results.find(one => one.toolCallId === toolCallId || one.toolCallId === `${byName}${tool}`)
    return result ? [{ approvalId, decision: 'once', data: { output: result.output } }] : []
  })
}

const answerPending = async (
  turns: Host['turns'],
  run: ConversationRun,
  answers: readonly Answer[],
): Promise<{ readonly refused: Refusal } | StartedTurn | WaitingTurn> => {
  const { actor, session, tools, outputSchema, within } = run
  let turnId = ''
  for (const { approvalId, decision, data } of answers) {
    const decided = await turns.decide(actor, approvalId, decision, data, {
      clientTools: tools.clientTools,
      ...(outputSchema ? { outputSchema } : {}),
      within,
      session,
      maxQuestion,
    })
    if ('refused' in decided) return decided
    if (decided.turn) return decided.turn
    turnId = decided.turnId
  }
  return { turnId, pending: await pendingIn(turns, run, turnId) }
}

/** Returns what a turn waits for: the session may have calls of other channels. */
export const pendingIn = async (
  turns: Pick<Host['turns'], 'pending'>,
  { actor, session }: Pick<ConversationRun, 'actor' | 'session'>,
  turnId: string,
): Promise<readonly PendingCall[]> => (await turns.pending(actor.did, session)).filter(call => call.turnId === turnId)
