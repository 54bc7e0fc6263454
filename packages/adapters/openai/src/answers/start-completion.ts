import type { Actor, Host, Refusal } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'
import { type ClientMessage, isBackgroundTask, maxBodyBytes, readConversation } from '../requests/conversation.ts'
import { type ChosenTools, ignoredTools } from '../requests/function-tool.ts'
import type { ThreadStore } from '../threads/thread-store.ts'
import { type AnswerPiece, answerPieces } from './answer-piece.ts'
import { type CompletionFacts, hasAnswer, type SaveAnswer } from './chat-completion.ts'
import { type ClientRequest, type RequestRuns, repeatHeaders } from './request-runs.ts'
import { pendingIn, runConversation } from './run-conversation.ts'

/** Dependencies of completions of every API. */
export interface CompletionParts {
  readonly turns: Host['turns']
  readonly log: Host['log']
  readonly runs: RequestRuns
  readonly threads: ThreadStore
  /** The name of the oracle as a model. */
  readonly model: string
}

/** Options of the routes that answer a conversation, in every API. */
export const completionOptions = {
  auth: { ucan: 'chat/send', keyHeaders: true },
  headers: repeatHeaders,
  errors: [openaiErrors.openai_key_reused, openaiErrors.openai_message_missing, openaiErrors.openai_not_supported],
  maxBodyBytes,
  takesFiles: true,
  timeLimit: false,
} as const

/** A request for the answer to a conversation that the client keeps. */
export interface CompletionRequest {
  readonly messages: readonly ClientMessage[]
  readonly tools: ChosenTools
  readonly outputSchema?: JsonObject | undefined
}

/** An answer that begins. */
export interface StartedCompletion {
  readonly facts: CompletionFacts
  readonly pieces: AsyncIterable<AnswerPiece>
  readonly save: SaveAnswer
  disconnected(): void
}

const withoutTools = { clientTools: [], toolChoice: 'none' } as const

/**
 * Starts the answer to a conversation in the session that it continues.
 *
 * @throws `openai_message_missing`, `openai_not_supported`, `openai_key_reused`
 */
export const startCompletion = async (
  { turns, runs, threads, model }: CompletionParts,
  asked: ClientRequest,
  { messages, tools: { ignored, ...given }, outputSchema }: CompletionRequest,
): Promise<{ readonly refused: Refusal } | StartedCompletion> => {
  const { actor } = asked
  const conversation = readConversation(messages)
  const isTask = isBackgroundTask(conversation)
  const run = await runs.begin(asked, async ({ createdAt, within }) => {
    const session = await threads.find(actor.did, conversation.history)
    const place = { session, answer: '', createdAt }
    const begun = await runConversation(turns, {
      actor,
      session,
      conversation,
      tools: isTask ? withoutTools : given,
      outputSchema,
      within: within(place),
      asked: () => threads.askedIn(actor.did, session),
    })
    return 'refused' in begun ? begun : { ...place, turn: begun }
  })
  if ('refused' in run) return run
  const { turn, session } = run
  const notices = [...ignoredTools(ignored), ...conversation.leftOut]
  const answer = answerPieces(turn, turnId => pendingIn(turns, { actor, session }, turnId), notices)
  return {
    facts: { id: turn.turnId, created: Math.floor(run.createdAt / 1000), model, sessionId: session },
    pieces: isTask ? forgetLater(answer, turns, actor, session) : answer,
    async save(result, text, approvals) {
      if (!hasAnswer(result) || isTask) return
      await run.save(tx => threads.saveAnswer(tx, actor.did, session, conversation, text, approvals))
    },
    disconnected: run.disconnected,
  }
}

/** Deletes the session of a background request after its answer. */
async function* forgetLater<Item>(
  items: AsyncIterable<Item>,
  turns: Host['turns'],
  { did }: Actor,
  session: string,
): AsyncGenerator<Item> {
  try {
    yield* items
  } finally {
    await turns.forget(did, session)
  }
}
