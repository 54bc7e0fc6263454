import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** An answer of a model, read part by part. */
export interface AnswerReader {
  /** Returns the next part; undefined after the last one. Rejects where the answer was called off. */
  read(): Promise<LanguageModelV4StreamPart | undefined>
  /** Leaves the rest unread, and lets the provider know. */
  cancel(): void
}

/** A model whose calls are guarded. */
export interface GuardedModel extends LanguageModelV4 {
  /** Begins an answer as `doStream` does, without a stream between the guard and the reader. */
  beginAnswer(options: LanguageModelV4CallOptions): Promise<AnswerReader>
}

/** Begins an answer. The parts of a guarded model come as they pass its guard, those of others from their stream. */
export const beginAnswer = async (
  model: LanguageModelV4 | GuardedModel,
  options: LanguageModelV4CallOptions,
): Promise<AnswerReader> => {
  if ('beginAnswer' in model) return model.beginAnswer(options)
  const reader = (await model.doStream(options)).stream.getReader()
  return {
    async read() {
      const { done, value } = await reader.read()
      return done ? undefined : value
    },
    cancel() {
      reader.cancel().catch(() => {})
    },
  }
}

/** Maximum buffered parts. */
const buffered = 16

/** Returns an answer as a stream, for readers that require one. */
export const streamOf = (answer: AnswerReader): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream(
    {
      async pull(controller) {
        const part = await answer.read()
        if (part) controller.enqueue(part)
        else controller.close()
      },
      cancel() {
        answer.cancel()
      },
    },
    { highWaterMark: buffered },
  )
