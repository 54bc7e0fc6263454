import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { type AnswerReader, beginAnswer, toModelPrompt } from '@sibyl/models'
import { NoOutputGeneratedError } from 'ai'
import type { AnswerSchema } from '../store/requested-turn.ts'
import { AnswerParts } from './answer-parts.ts'
import { AnswerInvalid, answerFormat, askAgain } from './answer-schema.ts'
import { LoopState } from './loop-state.ts'
import type { ModelInput, ModelLoopResult, TurnRun } from './turn-run.ts'

/**
 * Runs the model until it has answered, must wait for a person, breaks a stop rule, fails or is aborted:
 *
 * 1. Each step offers only the tools that the gate allows then.
 * 2. Each part of the answer becomes an event of the turn.
 * 3. Every call goes through the gate again; a call that needs an approval asks for it instead.
 * 4. The calls of a step run together after its end. Where one of them asks a person or a stop rule is broken, the loop ends.
 * 5. An answer that does not match the schema of the turn is requested a second time.
 */
export const runModelLoop = async (run: TurnRun, input: ModelInput): Promise<ModelLoopResult> => {
  const loop = new LoopState(run)
  const done = { finishReason: 'stop' }
  try {
    await runSteps(loop, input, done)
  } catch (error) {
    loop.noteError(error)
  }
  const result = { ...run.running.used, ...done }
  return loop.error === undefined ? result : { ...result, error: loop.error }
}

const runSteps = async (
  loop: LoopState,
  { model, instructions, messages }: ModelInput,
  done: { finishReason: string },
): Promise<void> => {
  const { signal, run } = loop
  const schema = run.running.request.answerSchema
  const format = schema && answerFormat(schema, model.provider)
  let isSecondAnswer = false
  let prompt = await toModelPrompt(instructions, messages, { supportedUrls: await model.supportedUrls, signal })
  for (;;) {
    const step = await runStep(loop, model, prompt, format)
    if (!step) return
    if (step.isMissing) {
      throw new NoOutputGeneratedError({
        message: 'No output generated. The model stream ended without a finish chunk.',
      })
    }
    const mayEnd = !step.isAnswered && !loop.failed && !step.asks && run.running.phase !== 'waiting'
    const answer = schema && mayEnd ? await checkedAnswer(loop, schema) : undefined
    if (answer && 'json' in answer) loop.emitText(answer.json)
    endStep(loop, step)
    done.finishReason = step.finishReason
    const { usage, steps } = run.running.used
    const violation = answer && 'violation' in answer ? answer.violation : undefined
    if (violation === undefined && (!step.isAnswered || loop.failed || step.asks)) return
    const isStopped = run.stopRules.reason(steps, usage.inputTokens + usage.outputTokens) !== undefined
    if (schema && (isStopped || (violation !== undefined && isSecondAnswer))) {
      throw new AnswerInvalid(violation ?? 'a limit of the turn was reached first')
    }
    if (isStopped) return
    loop.takeCheckedText()
    await run.checkpoint(false)
    prompt = [...prompt, ...step.messages()]
    if (violation !== undefined) {
      isSecondAnswer = true
      prompt.push({ role: 'user', content: [{ type: 'text', text: askAgain(violation) }] })
    }
  }
}

/** Returns the JSON of an answer of the model, or what is wrong with it. */
const checkedAnswer = (loop: LoopState, schema: AnswerSchema) => {
  const { running, dependencies } = loop.run
  const caller = { actor: running.facts.actor, signal: running.turn.signal }
  return dependencies.answerChecks.read(schema, loop.takeCheckedText(), caller)
}

const endStep = ({ run: { running } }: LoopState, step: AnswerParts): void => {
  const { usage, finishReason, responseMs } = step
  step.endSpan()
  step.count()
  running.watch?.modelCallEnded({ usage, finishReason, durationMs: responseMs })
  running.emit({ type: 'finish-step' })
}

/**
 * Runs one step: calls the model with the tools that the gate allows now, takes its answer part by part, and runs its calls.
 *
 * @returns undefined where the turn was aborted meanwhile
 */
const runStep = async (
  loop: LoopState,
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt,
  format: ReturnType<typeof answerFormat>,
): Promise<AnswerParts | undefined> => {
  const { signal, run } = loop
  loop.tools.offer()
  const tools = run.running.request.toolChoice === 'none' ? undefined : loop.tools.definitions()
  run.running.watch?.modelCallStarted(model)
  const span = run.running.timings?.modelCall(model.modelId, run.running.agentCallId)
  const parts = new AnswerParts(loop, span)
  const answer = await unlessAborted(
    signal,
    beginAnswer(model, {
      ...format,
      ...(tools ? { tools } : {}),
      toolChoice: tools ? firstChoice(run) : { type: 'auto' },
      prompt,
      abortSignal: signal,
      includeRawChunks: false,
    }),
    late => late.cancel(),
  )
  if (answer && (await readAnswer(answer, parts, signal))) return parts
  // What another process continues is counted there.
  if (answer && run.running.cutReason !== 'handed_over') parts.countCut(prompt)
  return undefined
}

/** Returns the choice of the caller for the first step of a turn; each later one may end it. */
const firstChoice = ({ running: { request, used } }: TurnRun): LanguageModelV4ToolChoice => {
  const { toolChoice } = request
  if (toolChoice === undefined || toolChoice === 'none' || used.steps > 0 || request.continues) return { type: 'auto' }
  return toolChoice === 'required' ? { type: 'required' } : { type: 'tool', toolName: toolChoice.tool }
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
