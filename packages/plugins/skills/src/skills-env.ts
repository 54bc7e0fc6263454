import { statSync } from 'node:fs'
import { z } from 'zod'

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

export const skillsEnv = z.object({
  SKILLS_DIR: z.string().refine(isFolder, 'not a folder that can be read').optional().meta({
    description: 'A folder whose folders hold a SKILL.md each.',
    example: './skills',
    defaultText: '`skills` in the working folder, where it is there',
  }),
})

export type SkillsEnv = z.output<typeof skillsEnv>
