import type { Tool } from '@sibyl/plugin'
import type { PersonQuestion } from '@sibyl/plugin/host'
import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai'
import { refusedCall } from '../../gate/capability-gate.ts'
import { askForAnswer, askForApproval, type ModelToolCall } from '../approvals/ask-person.ts'
import type { JudgedCall } from '../calls/calling-turn.ts'
import { judgeCall, runToolCall } from '../calls/run-tool-call.ts'
import { safeToolError } from '../calls/tool-error-text.ts'
import type { StreamEvent } from '../stream/turn-stream.ts'
import type { ModelInput, ModelLoopResult, TurnRun } from './turn-run.ts'

type AiSdk = typeof import('ai')

/** The questions of a step's calls, by call id. The results of these calls are placeholders that the model never reads. */
type Questions = Map<string, PersonQuestion>

/** The loops of the AI SDK: the one that keeps all that it streamed, and the one that does not. */
export type StreamTextName = 'streamText' | 'experimental_streamTextLowMemory'

/** Runs a turn's model loop as `runModelLoop` does, on a loop of the AI SDK: the judge of our own. */
export const runStreamTextLoop = async (
  run: TurnRun,
  input: ModelInput,
  name: StreamTextName,
): Promise<ModelLoopResult> => {
  const ai = await import('ai')
  const sdkTools: ToolSet = Object.create(null)
  const questions: Questions = new Map()
  const { running, stopRules } = run
  const offer = () => {
    const names: string[] = []
    for (const { name } of run.tools.offered()) {
      names.push(name)
      sdkTools[name] ??= toSdkTool(run, ai, name, questions)
    }
    return names
  }
  const prepareStep = () => {
    const names = offer()
    running.watch?.modelCallStarted(input.model)
    return { activeTools: names, toolOrder: names }
  }
  offer()
  let failed = false
  const result = ai[name]({
    model: input.model,
    instructions: input.instructions,
    messages: [...input.messages],
    tools: sdkTools,
    prepareStep,
    stopWhen: ({ steps }) =>
      failed ||
      questions.size > 0 ||
      ['length', 'content-filter'].includes(steps.at(-1)?.finishReason ?? '') ||
      stopRules.reason(steps.length, tokensOf(steps)) !== undefined,
    repairToolCall: ({ toolCall }) => explainDenial(run, toolCall.toolName),
    toolApproval: ({ toolCall }) => approvalStatus(run, toolCall.toolName, toolCall.input),
    abortSignal: running.turn.signal,
    maxRetries: 0,
    onError: () => {
      failed = true
    },
    include: { requestBody: false },
  })
  return consume(run, ai, result.stream, questions)
}

const tokensOf = (steps: readonly { readonly usage: LanguageModelUsage }[]): number =>
  steps.reduce((sum, { usage }) => sum + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0), 0)

const consume = async (
  run: TurnRun,
  ai: AiSdk,
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  questions: Questions,
): Promise<ModelLoopResult> => {
  const total = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
  let steps = 0
  let finishReason = 'stop'
  const { running } = run
  let error: unknown
  const notUsable = new Set<string>()
  for await (const part of stream) {
    switch (part.type) {
      case 'error':
        error ??= part.error
        continue
      case 'finish-step': {
        steps += 1
        const input = part.usage.inputTokens ?? 0
        const output = part.usage.outputTokens ?? 0
        total.inputTokens += input
        total.cachedInputTokens += part.usage.inputTokenDetails?.cacheReadTokens ?? 0
        total.outputTokens += output
        finishReason = part.finishReason
        const cached = part.usage.inputTokenDetails?.cacheReadTokens ?? 0
        running.addUsage({ inputTokens: input, cachedInputTokens: cached, outputTokens: output }, 1)
        running.watch?.modelCallEnded({
          usage: {
            inputTokens: input,
            cachedInputTokens: part.usage.inputTokenDetails?.cacheReadTokens ?? 0,
            outputTokens: output,
          },
          finishReason,
          durationMs: part.performance.responseTimeMs,
        })
        break
      }
      case 'tool-call':
        if (part.invalid) notUsable.add(part.toolCallId)
        break
      case 'tool-error':
        if (notUsable.has(part.toolCallId)) continue
        break
      case 'tool-approval-request':
        await askForApproval(run, part.approvalId, part.toolCall, await judged(run, part.toolCall))
        continue
      case 'tool-result': {
        const question = questions.get(part.toolCallId)
        if (!question) break
        await askForAnswer(run, part, question)
        continue
      }
      case 'tool-approval-response':
      case 'start':
      case 'finish':
      case 'abort':
        continue
    }
    const event = toEvent(ai, part)
    if (event) running.emit(event)
  }
  return { usage: total, steps, finishReason, error }
}

const toEvent = (ai: AiSdk, part: TextStreamPart<ToolSet>): StreamEvent | undefined => {
  if (part.type === 'text-delta' && part.providerMetadata === undefined) {
    return { type: 'text-delta', id: part.id, delta: part.text }
  }
  return ai.toUIMessageChunk(part, { onError: safeToolError }) as StreamEvent | undefined
}

const toSdkTool = (run: TurnRun, ai: AiSdk, name: string, questions: Questions): ToolSet[string] => {
  const { tool } = run.tools.find(name)!
  return {
    description: tool.description,
    inputSchema: ai.jsonSchema(run.dependencies.catalog.inputSchema(tool), {
      validate: value => validateInput(tool, value),
    }),
    async execute(input: unknown, { toolCallId }: { toolCallId: string }) {
      const ran = await runToolCall((await judged(run, { toolName: name, input, toolCallId }))!, run)
      if ('output' in ran) return ran.output
      questions.set(toolCallId, ran.question)
      return null
    },
  }
}

/** Says of a call that was not offered why the gate denies it. The AI SDK gives the text to the model. */
const explainDenial = async ({ tools }: TurnRun, name: string): Promise<null> => {
  const verdict = tools.judge(name)
  if (!verdict.allowed && verdict.reason !== 'unknown_tool') throw refusedCall(name, verdict)
  return null
}

const validateInput = async (tool: Tool, value: unknown) => {
  try {
    const parsed = await tool.input.safeParseAsync(value)
    return parsed.success ? { success: true as const, value } : { success: false as const, error: parsed.error }
  } catch {
    return { success: false as const, error: new Error('The schema of the tool failed.') }
  }
}

const judged = async (run: TurnRun, call: ModelToolCall): Promise<JudgedCall | undefined> => {
  const offered = run.tools.find(call.toolName)
  const result = offered && (await judgeCall(offered, call, run))
  return result && 'needsApproval' in result ? result : undefined
}

const approvalStatus = async (run: TurnRun, toolName: string, input: unknown) => {
  const isOffered = run.running.request.approvals === 'ask' && run.tools.judge(toolName).allowed
  const call = isOffered ? await judged(run, { toolCallId: '', toolName, input }) : undefined
  return call?.needsApproval ? ('user-approval' as const) : ('not-applicable' as const)
}
