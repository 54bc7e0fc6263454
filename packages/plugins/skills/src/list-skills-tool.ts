import { cleanText, defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import type { SkillShelf } from './skill-shelf.ts'

/** Faults that are told; the log has all of them. */
const mostFaults = 20

/** What all descriptions together may take, in characters: with more than 39 skills each has its share. */
const mostDescribed = 40_000

/** The tool `list_skills`. */
export const listSkillsTool = (shelf: SkillShelf) =>
  defineTool({
    description: 'The skills there are: name and what each is for.',
    effect: 'read',
    input: z.object({}),
    output: z.object({
      skills: z.string().describe('one a line'),
      left_out: z.array(z.string()).optional().describe('skills that cannot be used, and why'),
    }),
    async execute() {
      const { skills, faults } = await shelf.read()
      const share = Math.floor(mostDescribed / Math.max(skills.size, 1))
      const lines = [...skills.values()].map(
        ({ name, description }) => `${name}: ${cleanText(description, { maxLength: share })}`,
      )
      return {
        skills: lines.length === 0 ? 'There are none.' : lines.join('\n'),
        ...(faults.length === 0
          ? {}
          : { left_out: faults.slice(0, mostFaults).map(({ file, fault }) => `${file}: ${fault}`) }),
      }
    },
  })
