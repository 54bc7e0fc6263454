import { defineTool, type OraclePlugin, type PersonAnswer, PersonNeeded, type Tool } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { deskPlugin } from './desk-plugin.ts'

/** One run of a tool that asks. */
export interface AskingRun {
  readonly tool: string
  readonly key: string
  readonly answer?: PersonAnswer
  readonly approvalData?: unknown
}

/** What the tools ask for. */
export const askedSchema: JsonObject = {
  type: 'object',
  properties: { date: { type: 'string', format: 'date' }, seats: { type: 'integer', minimum: 1 } },
  required: ['date'],
}

/**
 * A plugin whose tools ask in the midst of their work: `book`, a writing one, and `find`, a reading one. Each asks
 * `Question 1?`, `Question 2?` and so on until it has had as many answers as its input says; a refusal ends it.
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
      ...(more.approval === undefined ? {} : { approval: more.approval }),
      async execute({ questions }, { idempotencyKey: key, answer, approvalData }) {
        runs.push({
          tool: name,
          key,
          ...(answer === undefined ? {} : { answer }),
          ...(approvalData === undefined ? {} : { approvalData }),
        })
        if (answer && !answer.accepted) return { refused: name }
        const had = answers.get(key) ?? []
        if (answer) answers.set(key, [...had, answer.data ?? null])
        const have = answers.get(key) ?? []
        if (have.length < questions) throw ask(`Question ${have.length + 1}?`)
        return { done: name, answers: have }
      },
    }) as Tool
  return { plugin: deskPlugin({ tools: { book: tool('book', 'write'), find: tool('find', 'read') } }, 'asking'), runs }
}
