import type { TurnResult } from '@sibyl/plugin'
import { hasAnswer } from '../answers/chat-completion.ts'
import type { StartedCompletion } from '../answers/start-completion.ts'
import { answerChanged, failedTurn } from '../errors/openai-errors.ts'

/** A line of an answer; the last one comes with the result of the turn. */
export interface OllamaLine {
  readonly line: {
    readonly message?: { readonly role: 'assistant'; readonly content: string; readonly thinking?: string }
    readonly [field: string]: unknown
  }
  readonly result?: TurnResult
  /** Set if the text changed: the part of it that counts. A stream ends with this line. */
  readonly kept?: string
}

/** Returns an answer as the lines of Ollama's chat. The oracle's own events are in the field `sibyl` of a line without text. */
export async function* ollamaLines({ facts, pieces, save }: StartedCompletion): AsyncGenerator<OllamaLine> {
  const begun = performance.now()
  const { model, created } = facts
  const line = (message: object, rest: object = {}) => ({
    model,
    created_at: new Date(created * 1000).toISOString(),
    message: { role: 'assistant' as const, content: '', ...message },
    done: false,
    ...rest,
  })
  let text = ''
  for await (const piece of pieces) {
    if (piece.kind === 'text') {
      text += piece.text
      yield { line: line({ content: piece.text }) }
    }
    if (piece.kind === 'dropped') {
      text = piece.text
      const { code, detail } = answerChanged()
      yield { line: { error: detail ?? code, code }, kept: text }
    }
    if (piece.kind === 'reasoning') yield { line: line({ thinking: piece.text }) }
    if (piece.kind === 'event') yield { line: line({}, { sibyl: piece.event }) }
    if (piece.kind !== 'end') continue
    const { result, approvals, calls, cut } = piece
    await save(result, text, approvals)
    if (!hasAnswer(result)) {
      const { code, detail } = failedTurn(result)
      yield { line: { error: detail ?? code, code }, result }
      return
    }
    const tool_calls = calls.map(({ id, name, arguments: input }) => ({
      id,
      function: { name, arguments: JSON.parse(input) as object },
    }))
    const nanoseconds = Math.round((performance.now() - begun) * 1e6)
    yield {
      line: line(tool_calls.length > 0 ? { tool_calls } : {}, {
        done: true,
        done_reason: cut === 'length' ? 'length' : 'stop',
        total_duration: nanoseconds,
        load_duration: 0,
        prompt_eval_count: result.usage.inputTokens,
        prompt_eval_duration: 0,
        eval_count: result.usage.outputTokens,
        eval_duration: nanoseconds,
      }),
      result,
    }
  }
}
