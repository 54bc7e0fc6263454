import { defineTool, type OraclePlugin, PersonNeeded, type Tool } from '@sibyl/plugin'
import type { PersonAnswer } from '@sibyl/plugin/host'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { officePlugin } from './office-plugin.ts'

/** A run of a tool that asks a question. */
export interface AskingRun {
  readonly tool: string
  readonly key: string
  readonly answer?: PersonAnswer | undefined
  readonly approvalData?: unknown
}

/** Schema of the answers that the tools request. */
export const askedSchema: JsonObject = {
  type: 'object',
  properties: { date: { type: 'string', format: 'date' }, seats: { type: 'integer', minimum: 1 } },
  required: ['date'],
}

/**
 * Creates a plugin whose tools ask while they run: `book` writes, `find` reads. Each asks `Question 1?`, `Question 2?`
 * and so on until it has the number of answers in its input; a refusal ends it.
 */
export const askingPlugin = (
  more: { readonly approval?: Tool['approval']; readonly ask?: (text: string) => PersonNeeded } = {},
): { readonly plugin: OraclePlugin; readonly runs: AskingRun[] } => {
  const runs: AskingRun[] = []
  const answers = new Map<string, unknown[]>()
  const { ask = (text: string) => new PersonNeeded({ text, schema: askedSchema }) } = more
  const tool = (name: string, effect: 'read' | 'write') =>
    defineTool({
      description: `Asks, and then does ${name}.`,
      input: z.object({ questions: z.number().default(1) }),
      effect,
      approval: more.approval,
      async execute({ questions }, { idempotencyKey: key, answer, approvalData }) {
        runs.push({
          tool: name,
          key,
          answer,
          approvalData,
        })
        if (answer && !answer.accepted) return { refused: name }
        const had = answers.get(key) ?? []
        if (answer) answers.set(key, [...had, answer.data ?? null])
        const have = answers.get(key) ?? []
        if (have.length < questions) throw ask(`Question ${have.length + 1}?`)
        return { done: name, answers: have }
      },
    }) as Tool
  return {
    plugin: officePlugin({ tools: { book: tool('book', 'write'), find: tool('find', 'read') } }, 'asking'),
    runs,
  }
}
