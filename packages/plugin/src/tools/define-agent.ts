import { z } from 'zod'
import type { Agent, AgentAnswer, AgentTask } from './agent.ts'
import type { Tool } from './tool.ts'

/** Definition of an agent. */
export interface AgentDefinition
  extends Agent,
    Pick<Tool, 'description' | 'effect'>,
    Partial<Pick<Tool, 'ability' | 'timeLimitSeconds'>> {}

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
    ability,
    timeLimitSeconds,
    input: agentTask,
    output: agentAnswer,
    agent,
    execute: () => Promise.reject(new TypeError('An agent runs only inside a turn.')),
  }
}
