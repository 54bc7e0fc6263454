import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type AnswerReader, beginAnswer } from '@sibyl/models'
import { AnswerParts } from './answer-parts.ts'
import type { LoopState } from './loop-state.ts'

/**
 * Runs one step: calls the model with the tools that the gate allows now, takes its answer part by part, and runs its calls.
 *
 * @returns undefined where the turn was aborted meanwhile
 */
export const runStep = async (
  loop: LoopState,
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt,
): Promise<AnswerParts | undefined> => {
  const { signal, run } = loop
  const tools = loop.tools.offer()
  run.running.watch?.modelCallStarted(model)
  const span = run.running.timings?.modelCall(model.modelId, run.running.agentCallId)
  const parts = new AnswerParts(loop, span)
  const answer = await unlessAborted(
    signal,
    beginAnswer(model, {
      ...(tools ? { tools } : {}),
      toolChoice: { type: 'auto' },
      prompt,
      abortSignal: signal,
      includeRawChunks: false,
    }),
    late => late.cancel(),
  )
  return answer && (await readAnswer(answer, parts, signal)) ? parts : undefined
}

/** Returns whether the answer was read to its end. */
const readAnswer = async (answer: AnswerReader, parts: AnswerParts, signal: AbortSignal): Promise<boolean> => {
  const cancel = () => answer.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  let read = false
  try {
    while (!signal.aborted) {
      const part = await answer.read()
      if (signal.aborted) break
      if (part === undefined) {
        read = true
        break
      }
      const taking = parts.take(part)
      if (taking) await unlessAborted(signal, taking)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    if (!read) cancel()
  }
  return read
}

/** Waits for the work, but not longer than until the turn is aborted. @param whenLate takes what comes later */
const unlessAborted = async <Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  whenLate: (result: Result) => void = () => {},
): Promise<Result | undefined> => {
  const aborted = Promise.withResolvers<undefined>()
  const abort = () => aborted.resolve(undefined)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    if (signal.aborted) work.then(whenLate, () => {})
  }
}
