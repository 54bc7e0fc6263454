import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Tool } from '@sibyl/plugin'
import { jsonSchema, type Schema } from 'ai'
import type { TurnRun } from './turn-dependencies.ts'

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
  readonly #run: TurnRun
  readonly #made = new Map<string, OfferedFunction>()
  #offered: readonly string[] = []

  constructor(run: TurnRun) {
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
