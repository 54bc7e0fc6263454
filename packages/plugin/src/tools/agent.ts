import { z } from 'zod'
import type { Tool } from './tool.ts'

/** The work of an agent behind a tool. */
export interface Agent {
  /** The instructions of its model. */
  readonly instructions: string
  /**
   * The names of the tools that it may call, of its own plugin and of `capabilities`. Each call passes the gate with the rights
   * of the caller; one that requires approval fails.
   */
  readonly tools: readonly string[]
  /** Capabilities that are loaded for it, besides its own plugin. */
  readonly capabilities?: readonly string[]
  /** Most calls of its model for a task. @default 8 */
  readonly maxSteps?: number
  /** Most input and output tokens for a task. They also count for the turn. @default 50,000 */
  readonly maxTokens?: number
}

/** Definition of an agent. */
export interface AgentDefinition
  extends Agent,
    Pick<Tool, 'description' | 'effect'>,
    Partial<Pick<Tool, 'ability' | 'timeLimitSeconds'>> {}

/** The input of the tool of an agent. */
export interface AgentTask {
  readonly task: string
}

/** The result of the tool of an agent. */
export interface AgentAnswer {
  readonly answer: string
  /** The names of the tools that it ran, in order. */
  readonly tools: readonly string[]
  /** Why it stopped before it was done. */
  readonly stopped?: string
}

const agentTask = z.object({
  task: z
    .string()
    .min(1)
    .max(8_000)
    .describe('The task with all facts it needs: the agent does not see this conversation'),
})

const agentAnswer = z.object({
  answer: z.string(),
  tools: z.array(z.string()),
  stopped: z.string().optional(),
})

/** Time limit of a task, in seconds. */
const defaultTimeLimitSeconds = 120

/**
 * Creates a tool behind which an agent works on a task: a model loop with its own instructions, a part of the tools and its own
 * limits, inside the turn of the caller.
 *
 * @param definition `effect` is `write` if one of its tools writes.
 *
 * @example
 * const tools = {
 *   research: defineAgent({
 *     description: 'Researches a question on the web and returns a summary with sources.',
 *     instructions: 'Search, read at most three pages, and answer in five sentences.',
 *     tools: ['search_web', 'read_page'],
 *     effect: 'read',
 *   }),
 * }
 */
export const defineAgent = (definition: AgentDefinition): Tool<AgentTask, AgentAnswer> => {
  const { description, effect, ability, timeLimitSeconds = defaultTimeLimitSeconds, ...agent } = definition
  return {
    description,
    effect,
    ...(ability === undefined ? {} : { ability }),
    timeLimitSeconds,
    input: agentTask,
    output: agentAnswer,
    agent,
    execute: () => Promise.reject(new TypeError('An agent runs only inside a turn.')),
  }
}
