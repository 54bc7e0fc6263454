import { z } from 'zod'

/** The variables of the plugin. */
export const skillsEnv = z.object({
  SKILLS_DIR: z.string().optional().meta({
    description: 'A folder whose folders hold a SKILL.md each',
    defaultText: '`skills` in the working folder, where it is there',
  }),
})

/** What they say. */
export type SkillsEnv = z.output<typeof skillsEnv>
