import type { Actor, Host, Refusal } from '@sibyl/plugin'
import {
  type ClientRequest,
  camelCaseTransaction,
  type HostLimits,
  newId,
  type RequestPlace,
  type RequestRuns,
} from '@sibyl/plugin/host'
import type { JsonObject } from '@sibyl/protocol'
import { openaiErrors } from '../errors/openai-errors.ts'
import {
  type ClientMessage,
  type Conversation,
  isBackgroundTask,
  maxBodyBytes,
  readConversation,
} from '../requests/conversation.ts'
import { type ChosenTools, ignoredTools } from '../requests/function-tool.ts'
import { repeatHeaders } from '../requests/repeat-headers.ts'
import type { ThreadStore } from '../threads/thread-store.ts'
import type { OpenAiTables, OpenAiTransaction } from '../threads/threads-tables.ts'
import { type AnswerPiece, answerPieces } from './answer-piece.ts'
import { type CompletionFacts, hasAnswer, type SaveAnswer } from './chat-completion.ts'
import { pendingIn, runConversation, type WaitingTurn } from './run-conversation.ts'

/** Dependencies of completions of every API. */
export interface CompletionParts {
  readonly turns: Host['turns']
  readonly log: Host['log']
  readonly runs: RequestRuns
  readonly threads: ThreadStore
  readonly limits: Pick<HostLimits, 'countStored'>
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
  readonly response?: ResponseParts
}

/** Options of a response, which is stored, and may name the session or response that it continues. */
export interface ResponseParts {
  /** Whether the request names a session or a response. */
  readonly isNamed: boolean
  /** Returns where a named session continues. Throws `openai_response_unknown`. */
  threadOf(conversation: Conversation): Promise<{ readonly session: string; readonly conversation: Conversation }>
  /** Stores the response at its start. */
  begin(tx: OpenAiTransaction, facts: CompletionFacts, text: string, turnId: string): Promise<void>
}

/** An answer that begins. */
export interface StartedCompletion {
  readonly facts: CompletionFacts
  readonly pieces: AsyncIterable<AnswerPiece>
  /** @param also Writes with the answer, and returns the bytes that this adds. */
  save(...of: [...Parameters<SaveAnswer>, also?: (tx: OpenAiTransaction) => Promise<number>]): Promise<void>
  disconnected(): void
}

const withoutTools = { clientTools: [], toolChoice: 'none' } as const

/**
 * Starts the answer to a conversation in the session that it continues.
 *
 * @throws `openai_message_missing`, `openai_not_supported`, `openai_key_reused`, `openai_response_unknown`
 */
export const startCompletion = async (
  { turns, runs, threads, model, limits }: CompletionParts,
  asked: Omit<ClientRequest, 'keyReused'>,
  { messages, tools: { ignored, ...given }, outputSchema, response }: CompletionRequest,
): Promise<{ readonly refused: Refusal } | StartedCompletion> => {
  const { actor } = asked
  const conversation = readConversation(messages)
  const isTask = isBackgroundTask(conversation)
  const factsOf = ({ session: sessionId, answer, createdAt }: RequestPlace, turnId: string): CompletionFacts => ({
    id: answer || turnId,
    created: Math.floor(createdAt / 1000),
    model,
    sessionId,
  })
  const begin = async (tx: OpenAiTransaction, place: RequestPlace, turnId: string) =>
    response?.begin(tx, factsOf(place, turnId), conversation.text, turnId)
  const run = await runs.begin<WaitingTurn>({ ...asked, keyReused }, async ({ createdAt, within }) => {
    const thread = response?.isNamed
      ? await response.threadOf(conversation)
      : { session: await threads.find(actor.did, conversation.history), conversation }
    const { session } = thread
    const place = { session, answer: response ? newId('resp') : '', createdAt }
    const begun = await runConversation(turns, {
      actor,
      ...thread,
      tools: isTask ? withoutTools : given,
      outputSchema,
      within: within(place, (tx, turnId) => begin(inTables(tx), place, turnId)),
      asked: () => threads.askedIn(actor.did, session),
    })
    return 'refused' in begun ? begun : { ...place, turn: begun }
  })
  if ('refused' in run) return run
  const { turn, session } = run
  const notices = [...ignoredTools(ignored), ...conversation.leftOut]
  const answer = answerPieces(turn, turnId => pendingIn(turns, { actor, session }, turnId), notices)
  return {
    facts: factsOf(run, turn.turnId),
    pieces: isTask ? forgetLater(answer, turns, actor, session) : answer,
    async save(result, text, approvals, also) {
      const leavesThread = hasAnswer(result) && !isTask && (!response?.isNamed || approvals.length > 0)
      if (!leavesThread && !also) return
      await run.save(async given => {
        const tx = inTables(given)
        const { did } = actor
        const ofThread = leavesThread ? await threads.saveAnswer(tx, did, session, conversation, text, approvals) : 0
        if ('pending' in turn) await begin(tx, run, turn.turnId)
        await limits.countStored(given, [{ did, bytes: ofThread + ((await also?.(tx)) ?? 0) }])
      })
    },
    disconnected: run.disconnected,
  }
}

const keyReused = () => openaiErrors.openai_key_reused()

const inTables = camelCaseTransaction<OpenAiTables>

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
