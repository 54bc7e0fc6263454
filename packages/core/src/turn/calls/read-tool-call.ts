import { type LanguageModelV4FunctionTool, type LanguageModelV4ToolCall, TypeValidationError } from '@ai-sdk/provider'
import { safeParseJSON } from '@ai-sdk/provider-utils'
import { InvalidToolInputError, NoSuchToolError, ToolCallRepairError } from 'ai'
import { refusedCall } from '../../gate/capability-gate.ts'
import type { OfferedTool } from '../../tools/turn-tools.ts'
import type { ModelToolCall } from '../approvals/ask-person.ts'
import type { CallingTurn } from './calling-turn.ts'
import { type JudgedCall, judgeCall } from './run-tool-call.ts'

/** A tool call of the model, read. */
export interface ReadToolCall extends ModelToolCall {
  readonly providerExecuted?: boolean
  readonly providerMetadata?: LanguageModelV4ToolCall['providerMetadata']
  readonly dynamic?: true
  /** The reason why it cannot run; the model reads it as the result. */
  readonly error?: Error
  /** The call as it is run; unset with an error, and for a tool that only the provider has. */
  readonly judged?: JudgedCall
}

/** Reads and judges a tool call. One of a tool that is not offered, or whose input does not fit, has an error and does not run. */
export const readToolCall = async (
  call: LanguageModelV4ToolCall,
  offered: OfferedTools,
  run: CallingTurn,
): Promise<ReadToolCall> => {
  const { toolCallId, toolName, providerExecuted, providerMetadata } = call
  const facts = {
    toolCallId,
    toolName,
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  }
  const parsed = call.input.trim() === '' ? emptyInput : await safeParseJSON({ text: call.input })
  const tool = offered.find(toolName)
  const unreadable = (error: NoSuchToolError | InvalidToolInputError): ReadToolCall => {
    const input = parsed.success && parsed !== emptyInput ? parsed.value : call.input
    return { ...facts, input, dynamic: true, error: explainDenial(toolName, run, error) }
  }
  const invalid = (cause: unknown) => unreadable(new InvalidToolInputError({ toolName, toolInput: call.input, cause }))
  // Only the provider has the schema of its own tools.
  if (!tool && !(providerExecuted && call.dynamic)) {
    return unreadable(new NoSuchToolError({ toolName, availableTools: [...offered.names] }))
  }
  if (!parsed.success) return invalid(parsed.error)
  const input = parsed.value
  if (!tool) return { ...facts, input, dynamic: true }
  const judged = await judgeCall(tool, { toolCallId, toolName, input }, run)
  if ('invalid' in judged) return invalid(TypeValidationError.wrap({ value: input, cause: judged.invalid }))
  return { ...facts, input, judged }
}

const emptyInput = { success: true, value: {} } as const

/** Says of a call that the gate denies why it does. */
const explainDenial = (name: string, { tools }: CallingTurn, error: NoSuchToolError | InvalidToolInputError): Error => {
  const verdict = tools.judge(name)
  if (verdict.allowed || verdict.reason === 'unknown_tool') return error
  return new ToolCallRepairError({ cause: refusedCall(name, verdict), originalError: error })
}

/** The tools of a step: those that the gate allows when it begins. Each is described once per turn. */
export class OfferedTools {
  readonly #run: CallingTurn
  readonly #definitions = new Map<string, LanguageModelV4FunctionTool>()
  #offered: ReadonlyMap<string, OfferedTool> = new Map()

  constructor(run: CallingTurn) {
    this.#run = run
  }

  /** The names of the tools of this step. */
  get names(): Iterable<string> {
    return this.#offered.keys()
  }

  /** Begins a step with the tools that the gate allows now. */
  offer(): void {
    this.#offered = new Map(this.#run.tools.offered().map(offered => [offered.name, offered]))
  }

  /** Returns the tools of this step as the model is offered them; undefined if it has no tools. */
  definitions(): LanguageModelV4FunctionTool[] | undefined {
    const { catalog } = this.#run.dependencies
    const all = [...this.#offered.values()].map(({ name, tool }) => {
      const known = this.#definitions.get(name)
      if (known) return known
      const inputSchema = catalog.inputSchema(tool)
      const made: LanguageModelV4FunctionTool = { type: 'function', name, inputSchema, description: tool.description }
      this.#definitions.set(name, made)
      return made
    })
    return all.length === 0 ? undefined : all
  }

  /** Returns a tool of this step. */
  find(name: string): OfferedTool | undefined {
    return this.#offered.get(name)
  }
}
