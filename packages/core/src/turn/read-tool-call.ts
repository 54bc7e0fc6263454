import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { safeParseJSON, safeValidateTypes } from '@ai-sdk/provider-utils'
import { InvalidToolInputError, NoSuchToolError, ToolCallRepairError } from 'ai'
import { refusedCall } from '../gate/capability-gate.ts'
import type { TurnTools } from '../tools/turn-tools.ts'
import type { OfferedTools } from './offered-tools.ts'

/** A tool call of the model, read. */
export interface ReadToolCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean
  readonly providerMetadata?: LanguageModelV4ToolCall['providerMetadata']
  readonly dynamic?: true
  /** The reason why it cannot run; the model reads it as the result. */
  readonly error?: Error
}

/** Reads a tool call. One of a tool that is not offered, or whose input does not fit, has an error and does not run. */
export const readToolCall = async (
  call: LanguageModelV4ToolCall,
  offered: OfferedTools,
  tools: TurnTools,
): Promise<ReadToolCall> => {
  const { toolCallId, toolName, providerExecuted, providerMetadata } = call
  const facts = {
    toolCallId,
    toolName,
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  }
  const read = await readInput(call, offered)
  if ('error' in read) {
    const parsed = await safeParseJSON({ text: call.input })
    const input = parsed.success ? parsed.value : call.input
    return { ...facts, input, dynamic: true, error: explainDenial(toolName, tools, read.error) }
  }
  return { ...facts, input: read.input, ...(read.dynamic ? { dynamic: true } : {}) }
}

type ReadInput =
  | { readonly input: unknown; readonly dynamic: boolean }
  | { readonly error: NoSuchToolError | InvalidToolInputError }

const readInput = async (call: LanguageModelV4ToolCall, offered: OfferedTools): Promise<ReadInput> => {
  const { toolName, input: text } = call
  const schema = offered.schemaOf(toolName)
  // Only the provider has the schema of its own tools.
  const dynamic = schema === undefined
  if (dynamic && !(call.providerExecuted && call.dynamic)) {
    return { error: new NoSuchToolError({ toolName, availableTools: [...offered.names] }) }
  }
  const read = await (schema === undefined
    ? text.trim() === ''
      ? { success: true as const, value: {} }
      : safeParseJSON({ text })
    : text.trim() === ''
      ? safeValidateTypes({ value: {}, schema })
      : safeParseJSON({ text, schema }))
  if (read.success) return { input: read.value, dynamic }
  return { error: new InvalidToolInputError({ toolName, toolInput: text, cause: read.error }) }
}

/** Says of a call that the gate denies why it does. */
const explainDenial = (name: string, tools: TurnTools, error: NoSuchToolError | InvalidToolInputError): Error => {
  const verdict = tools.judge(name)
  if (verdict.allowed || verdict.reason === 'unknown_tool') return error
  return new ToolCallRepairError({ cause: refusedCall(name, verdict), originalError: error })
}
