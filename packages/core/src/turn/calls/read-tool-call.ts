import type { LanguageModelV4FunctionTool, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { safeParseJSON, safeValidateTypes } from '@ai-sdk/provider-utils'
import type { Tool } from '@sibyl/plugin'
import { InvalidToolInputError, jsonSchema, NoSuchToolError, type Schema, ToolCallRepairError } from 'ai'
import { refusedCall } from '../../gate/capability-gate.ts'
import type { TurnTools } from '../../tools/turn-tools.ts'
import type { CallingTurn } from './calling-turn.ts'

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

/** A tool as the model is offered it, and the check of what it is called with. */
interface OfferedFunction {
  readonly definition: LanguageModelV4FunctionTool
  readonly schema: Schema
}

/**
 * The tools that are offered to the model. Each is created once per turn; the gate decides before each step which are
 * offered.
 */
export class OfferedTools {
  readonly #run: CallingTurn
  readonly #made = new Map<string, OfferedFunction>()
  #offered: readonly string[] = []

  constructor(run: CallingTurn) {
    this.#run = run
  }

  /** The names of the tools of this step. */
  get names(): readonly string[] {
    return this.#offered
  }

  /** Returns the tools that the gate allows for the next step; undefined if it allows none. */
  offer(): LanguageModelV4FunctionTool[] | undefined {
    const { tools, dependencies } = this.#run
    const offered = tools.offered()
    for (const { name, tool } of offered) {
      if (this.#made.has(name)) continue
      const inputSchema = dependencies.catalog.inputSchema(tool)
      this.#made.set(name, {
        definition: { type: 'function', name, inputSchema, description: tool.description },
        schema: jsonSchema(inputSchema, { validate: value => validateInput(tool, value) }),
      })
    }
    this.#offered = offered.map(({ name }) => name)
    return offered.length === 0 ? undefined : this.#offered.map(name => this.#made.get(name)!.definition)
  }

  /** The schema of a tool of this step. */
  schemaOf(name: string): Schema | undefined {
    return this.#offered.includes(name) ? this.#made.get(name)?.schema : undefined
  }
}

const validateInput = async (tool: Tool, value: unknown) => {
  try {
    const parsed = await tool.input.safeParseAsync(value)
    return parsed.success ? { success: true as const, value } : { success: false as const, error: parsed.error }
  } catch {
    return { success: false as const, error: new Error('The schema of the tool failed.') }
  }
}
