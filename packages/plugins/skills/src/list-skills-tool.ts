import { cleanText, defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import type { SkillStore } from './skill-store.ts'

/** Maximum number of reported problems; the log has all. */
const maxViolations = 20

/** Maximum length of all descriptions together, in characters; with more than 39 skills each has its share. */
const maxDescribed = 40_000

export const listSkillsTool = (store: SkillStore) =>
  defineTool({
    description: 'Lists the available skills: names and purposes.',
    effect: 'read',
    input: z.object({}),
    output: z.object({
      skills: z.string().describe('one per line'),
      left_out: z.array(z.string()).optional().describe('skills that cannot be used, and the reasons'),
    }),
    async execute() {
      const { skills, faults } = await store.read()
      const share = Math.floor(maxDescribed / Math.max(skills.size, 1))
      const lines = [...skills.values()].map(
        ({ name, description }) => `${name}: ${cleanText(description, { maxLength: share })}`,
      )
      return {
        skills: lines.length === 0 ? 'There are no skills.' : lines.join('\n'),
        ...(faults.length === 0
          ? {}
          : { left_out: faults.slice(0, maxViolations).map(({ file, fault }) => `${file}: ${fault}`) }),
      }
    },
  })
