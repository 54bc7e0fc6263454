import type { TurnResult } from '@sibyl/plugin'
import { answerChanged, failedTurn, openAiError } from '../errors/openai-errors.ts'
import type { AnswerPiece, ClientCall, SibylEvent } from './answer-piece.ts'

/** Fields that all chunks of an answer share. */
export interface CompletionFacts {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly sessionId: string
}

/** Returns the usage of a turn in the form of chat completions. */
const completionUsage = ({ usage: { inputTokens, cachedInputTokens, outputTokens } }: TurnResult) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedInputTokens },
})

/** Whether a turn gave an answer: it ended, or waits for the user. */
export const hasAnswer = ({ outcome }: TurnResult): boolean => outcome === 'done' || outcome === 'awaiting-approval'

const sibylFacts = ({ sessionId }: CompletionFacts, { turnId, outcome }: TurnResult, approvals: readonly string[]) => ({
  session_id: sessionId,
  turn_id: turnId,
  outcome,
  approvals: [...approvals],
})

/** Stores an answer before the client reads its end. @param approvals Those whose questions it shows. */
export type SaveAnswer = (result: TurnResult, text: string, approvals: readonly string[]) => Promise<void>

/** Collects an answer as one `chat.completion`. */
export const chatCompletion = async (
  facts: CompletionFacts,
  pieces: AsyncIterable<AnswerPiece>,
  save: SaveAnswer,
): Promise<{ readonly result: TurnResult; readonly body: object }> => {
  let text = ''
  let reasoning = ''
  const events: SibylEvent[] = []
  for await (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text
    if (piece.kind === 'dropped') text = piece.text
    if (piece.kind === 'reasoning') reasoning += piece.text
    if (piece.kind === 'event') events.push(piece.event)
    if (piece.kind !== 'end') continue
    const { result, approvals, calls, cut } = piece
    await save(result, text, approvals)
    const { id, created, model } = facts
    const message = {
      role: 'assistant',
      content: text,
      refusal: null,
      ...(reasoning ? { reasoning_content: reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
    }
    return {
      result,
      body: {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(calls, cut) }],
        usage: completionUsage(result),
        sibyl: { ...sibylFacts(facts, result, approvals), events },
      },
    }
  }
  throw new TypeError('a turn ended without its end')
}

const finishReason = (calls: readonly ClientCall[], cut: 'length' | 'content-filter' | undefined): string => {
  if (cut !== undefined) return cut === 'length' ? 'length' : 'content_filter'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

const toolCall = ({ id, name, arguments: input }: ClientCall) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

/**
 * Streams an answer as `chat.completion.chunk` events. The oracle's own events come in chunks with an empty `delta`, under
 * `sibyl`.
 */
export async function* chatCompletionChunks(
  facts: CompletionFacts,
  pieces: AsyncIterable<AnswerPiece>,
  save: SaveAnswer,
  includeUsage: boolean,
): AsyncGenerator<string> {
  const { id, created, model } = facts
  const chunk = (delta: object, finish: string | null = null, rest: object = {}) =>
    frame({
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(includeUsage ? { usage: null } : {}),
      ...rest,
    })
  yield chunk({ role: 'assistant', content: '' })
  let index = 0
  let text = ''
  for await (const piece of pieces) {
    if (piece.kind === 'text') {
      text += piece.text
      yield chunk({ content: piece.text })
    }
    if (piece.kind === 'dropped') {
      yield frame({ error: openAiError(answerChanged()) })
      return
    }
    if (piece.kind === 'reasoning') yield chunk({ reasoning_content: piece.text })
    if (piece.kind === 'event') yield chunk({}, null, { sibyl: piece.event })
    if (piece.kind === 'call') {
      yield chunk({ tool_calls: [{ index, ...toolCall(piece.call) }] })
      index += 1
    }
    if (piece.kind !== 'end') continue
    const { result, approvals } = piece
    await save(result, text, approvals)
    if (!hasAnswer(result)) {
      yield frame({ error: openAiError(failedTurn(result)) })
      return
    }
    yield chunk({}, finishReason(piece.calls, piece.cut), { sibyl: sibylFacts(facts, result, approvals) })
    if (includeUsage) {
      const usage = completionUsage(result)
      yield frame({ id, object: 'chat.completion.chunk', created, model, choices: [], usage })
    }
    yield 'data: [DONE]\n\n'
  }
}
