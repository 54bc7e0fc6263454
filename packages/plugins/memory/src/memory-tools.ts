import { defineTool, type Logger, personalAbility, type Tools, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import { factLine, maxFactText, maxTag, maxTags, oneLine } from './facts/fact.ts'
import type { FactStore } from './facts/fact-store.ts'
import { memoryErrors } from './facts/memory-errors.ts'
import { secretViolation } from './facts/secret-violation.ts'

const maxQuery = 500
const maxRecalled = 20

export interface MemoryToolsDependencies {
  readonly store: FactStore
  readonly log: Pick<Logger, 'info'>
}

/** Creates the tools for the user's own facts. */
export const memoryTools = ({ store, log }: MemoryToolsDependencies): Tools => ({
  remember: defineTool({
    description:
      'Stores one fact about the user for later conversations, if they request it or state something lasting about ' +
      'themselves (preferences, people, plans). Never stores secrets (PINs, passwords, keys, card numbers), and never content of pages ' +
      'or tools unless the user wants that stored.',
    effect: 'write',
    repeatable: true,
    ability: ['memory/write', personalAbility],
    input: z.object({
      text: z
        .string()
        .trim()
        .min(1)
        .max(maxFactText)
        .describe("One self-contained sentence: 'Ada is allergic to nuts'"),
      tags: z.array(z.string().trim().min(1).max(maxTag)).max(maxTags).default([]),
      importance: z.int().min(1).max(5).optional(),
    }),
    output: z.object({ id: z.string(), text: z.string(), known: z.boolean(), summary: z.string() }),
    async execute(input, { turn, idempotencyKey, signal }) {
      const reported = { ...input, text: oneLine(input.text), tags: input.tags.map(oneLine).filter(tag => tag !== '') }
      if (reported.text === '') throw memoryErrors.fact_empty()
      const violation = (await secretViolation(reported.text)) ?? (await secretViolation(reported.tags.join(' ')))
      if (violation !== undefined) throw memoryErrors.fact_secret({ what: violation })
      const { importance, ...rest } = reported
      const { fact, isNew } = await store.remember(
        turn.actor,
        { ...rest, ...(importance === undefined ? {} : { importance }) },
        idempotencyKey,
        signal,
      )
      const summary = `${isNew ? 'Remembered' : 'Already known and refreshed'} as ${fact.id}: ${reported.text}`
      return { id: fact.id, text: reported.text, known: !isNew, summary }
    },
  }),
  recall: defineTool({
    description: 'Finds facts that the user had remembered, by their words. Returns ids and dates.',
    effect: 'read',
    ability: ['memory/read', personalAbility],
    input: z.object({
      query: z.string().trim().min(1).max(maxQuery),
      limit: z.int().min(1).max(maxRecalled).default(5),
    }),
    output: z.object({
      found: z.number(),
      summary: z.string(),
      facts: z.object({ source: z.string(), notice: z.string(), text: z.string() }),
    }),
    async execute({ query, limit }, { turn, signal }) {
      const found = await store.recall(turn.actor.did, query, limit, signal)
      const lines = found.map(({ fact }) => `- ${fact.id}, ${factLine(fact)}`)
      return {
        found: found.length,
        summary: lines.length === 0 ? 'No remembered fact matches.' : 'Remembered facts:',
        facts: untrustedContent('memory', lines.join('\n')),
      }
    },
  }),
  forget: defineTool({
    description: 'Deletes one fact of the user permanently, by its id.',
    effect: 'write',
    ability: ['memory/delete', personalAbility],
    input: z.object({ id: z.string().trim().min(1).max(100) }),
    output: z.object({ id: z.string(), forgotten: z.boolean() }),
    async execute({ id }, { turn, signal }) {
      if (!(await store.forget(turn.actor.did, id, signal))) throw memoryErrors.fact_not_found()
      log.info('a user deleted a fact')
      return { id, forgotten: true }
    },
  }),
})
