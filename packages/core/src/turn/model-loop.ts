import type { LanguageModelV4 } from '@ai-sdk/provider'
import { isToolFailure, type PersonQuestion } from '@sibyl/plugin'
import type { Usage } from '@sibyl/protocol'
import type { LanguageModelUsage, ModelMessage, TextStreamPart, ToolSet } from 'ai'
import { abilitiesOf } from '../auth/holds-ability.ts'
import { refusedCall } from '../gate/capability-gate.ts'
import type { Tool } from '../plugins/tool.ts'
import type { TurnWatch } from '../telemetry/turn-watch.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'
import type { TurnTools } from '../tools/turn-tools.ts'
import type { AskedCall } from './ask-person.ts'
import { describeIssues, type GuardContext, needsApproval, runGuarded } from './run-tool-call.ts'
import type { StopRules } from './stop-rules.ts'
import type { StreamEvent } from './turn-stream.ts'

type AiSdk = typeof import('ai')

/** What a run of the agent needs. */
export interface AgentRun {
  readonly ai: AiSdk
  readonly model: LanguageModelV4
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
  readonly tools: TurnTools
  readonly catalog: CapabilityCatalog
  readonly guard: GuardContext
  readonly stopRules: StopRules
  readonly signal: AbortSignal
  readonly watch?: TurnWatch | undefined
  /** `deny` where no person can be asked. */
  readonly approvals: 'ask' | 'deny'
  emit(event: StreamEvent): void
  /** Told after each step what all steps so far used. */
  used(usage: Usage, steps: number): void
  /** Asks a person whether a call may run, having stored the question. */
  askForApproval(call: AskedCall, approvalId: string, text: string): Promise<void>
  /** Asks a person what a call asked, having stored the question. */
  askForAnswer(call: AskedCall, question: PersonQuestion): Promise<void>
}

/** How the run ended. */
export interface AgentRunResult {
  readonly usage: Usage
  readonly steps: number
  readonly finishReason: string
  /** Whether a tool call waits for a person. */
  readonly awaitsApproval: boolean
  /** The error that ended it. */
  readonly error?: unknown
}

/** What calls of a step asked a person, by their ids: their results are no results, and the model never reads them. */
type Questions = Map<string, PersonQuestion>

/**
 * Runs the agent on the AI SDK until it has answered, must wait for a person, breaks a stop rule, fails or is aborted.
 * The gate works twice: each step offers only the allowed tools, and every call goes through the guard.
 */
export const runAgent = async (run: AgentRun): Promise<AgentRunResult> => {
  const sdkTools: ToolSet = Object.create(null)
  const questions: Questions = new Map()
  const offer = () => {
    const names: string[] = []
    for (const { name } of run.tools.offered()) {
      names.push(name)
      sdkTools[name] ??= toSdkTool(run, name, questions)
    }
    return names
  }
  const prepareStep = () => {
    const names = offer()
    run.watch?.modelCallStarted(run.model)
    return { activeTools: names, toolOrder: names }
  }
  offer()
  let failed = false
  const result = run.ai.experimental_streamTextLowMemory({
    model: run.model,
    instructions: run.instructions,
    messages: [...run.messages],
    tools: sdkTools,
    prepareStep,
    stopWhen: ({ steps }) =>
      failed || questions.size > 0 || run.stopRules.reason(steps.length, tokensOf(steps)) !== undefined,
    repairToolCall: ({ toolCall }) => explainDenial(run, toolCall.toolName),
    toolApproval: ({ toolCall }) => approvalStatus(run, toolCall.toolName, toolCall.input),
    abortSignal: run.signal,
    maxRetries: 0,
    onError: () => {
      failed = true
    },
    include: { requestBody: false },
  })
  return consume(run, result.stream, questions)
}

const tokensOf = (steps: readonly { readonly usage: LanguageModelUsage }[]): number =>
  steps.reduce((sum, { usage }) => sum + (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0), 0)

const consume = async (
  run: AgentRun,
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  questions: Questions,
): Promise<AgentRunResult> => {
  const total = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
  let steps = 0
  let finishReason = 'stop'
  let awaitsApproval = false
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
        run.used({ ...total }, steps)
        run.watch?.modelCallEnded({
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
        awaitsApproval = true
        await askApproval(run, part.approvalId, part.toolCall)
        continue
      case 'tool-result': {
        const question = questions.get(part.toolCallId)
        if (!question) break
        awaitsApproval = true
        await run.askForAnswer(askedCall(run, part), question)
        continue
      }
      case 'tool-approval-response':
      case 'start':
      case 'finish':
      case 'abort':
        continue
    }
    const event = toEvent(run, part)
    if (event) run.emit(event)
  }
  return { usage: total, steps, finishReason, awaitsApproval, ...(error === undefined ? {} : { error }) }
}

const toEvent = (run: AgentRun, part: TextStreamPart<ToolSet>): StreamEvent | undefined => {
  if (part.type === 'text-delta' && part.providerMetadata === undefined) {
    return { type: 'text-delta', id: part.id, delta: part.text }
  }
  return run.ai.toUIMessageChunk(part, { onError: safeToolError }) as StreamEvent | undefined
}

/** The text that the person sees of a failed call; the model's own reads the same where it is a ToolFailure. */
const safeToolError = (error: unknown): string => {
  if (isToolFailure(error)) return error.message
  if (error instanceof Error && isToolFailure(error.cause)) return error.cause.message
  const name = error instanceof Error ? error.name : ''
  if (name === 'AI_NoSuchToolError') return 'There is no such tool, or its capability is not loaded yet.'
  if (name === 'AI_InvalidToolInputError') return `The arguments do not fit${invalidInputDetail(error)}.`
  return 'The tool failed.'
}

const invalidInputDetail = (error: unknown): string => {
  const cause = (error as { cause?: { cause?: unknown } }).cause?.cause
  const issues = (cause as { issues?: unknown } | undefined)?.issues
  return Array.isArray(issues) ? `: ${describeIssues(issues)}` : ''
}

const toSdkTool = (run: AgentRun, name: string, questions: Questions): ToolSet[string] => {
  const { tool } = run.tools.find(name)!
  return {
    description: tool.description,
    inputSchema: run.ai.jsonSchema(run.catalog.inputSchema(tool), {
      validate: value => validateInput(tool, value),
    }),
    async execute(input: unknown, { toolCallId }: { toolCallId: string }) {
      const ran = await runGuarded(run.tools.find(name)!, input, toolCallId, run.guard)
      if ('output' in ran) return ran.output
      questions.set(toolCallId, ran.question)
      return null
    },
  }
}

/** Says of a call that was not offered why the gate denies it. The AI SDK gives the text to the model. */
const explainDenial = async ({ tools }: AgentRun, name: string): Promise<null> => {
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

const approvalStatus = async (run: AgentRun, name: string, input: unknown) => {
  const offered = run.tools.find(name)
  if (!offered || run.approvals === 'deny' || run.guard.approved(offered, '')) return 'not-applicable' as const
  if (!run.tools.judge(name).allowed) return 'not-applicable' as const
  const parsed = await offered.tool.input.safeParseAsync(input)
  const asks = parsed.success && needsApproval(offered, parsed.data, run.guard.turn)
  return asks ? ('user-approval' as const) : ('not-applicable' as const)
}

const askApproval = async (
  run: AgentRun,
  approvalId: string,
  { toolCallId, toolName, input }: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
): Promise<void> => {
  const text = await describeCall(run, toolName, input)
  await run.askForApproval(askedCall(run, { toolCallId, toolName, input }), approvalId, text)
}

const askedCall = (
  { tools }: AgentRun,
  { toolCallId, toolName, input }: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
): AskedCall => {
  const tool = tools.find(toolName)?.tool
  return { toolCallId, tool: toolName, input, scope: tool?.approvalScope, abilities: abilitiesOf(tool?.ability) }
}

/** The longest question to a person, in characters. */
const maxQuestion = 1_000

/** A question that is cut says so; the arguments stand beside it in full. */
const shortened = (text: string): string => (text.length > maxQuestion ? `${text.slice(0, maxQuestion - 1)}…` : text)

const describeCall = async ({ tools, guard }: AgentRun, name: string, input: unknown): Promise<string> => {
  try {
    const { tool } = tools.find(name)!
    const text: unknown = await tool.describe?.(await tool.input.parseAsync(input), guard.turn)
    if (typeof text === 'string' && text.trim() !== '') return shortened(text)
  } catch {
    // A tool that cannot describe its call does not keep the person from being asked.
  }
  return `Run ${name}`
}
