import { defineTool, ToolFailure } from '@sibyl/plugin'
import { z } from 'zod'
import { readSkillFile } from './skill-file.ts'
import { findSkill, type SkillStore } from './skill-store.ts'

/** Maximum length of a part of a file in one call, in characters. */
const pageLength = 20_000

export const readSkillFileTool = (store: SkillStore) =>
  defineTool({
    description: 'Reads a file of a skill. A long file comes in parts: continue at next_offset.',
    effect: 'read',
    input: z.object({
      skill: z.string().max(100),
      path: z.string().max(1_000),
      offset: z.int().min(0).max(1_000_000).optional(),
    }),
    output: z.object({
      path: z.string(),
      text: z.string(),
      next_offset: z.number().optional(),
    }),
    async execute({ skill, path: wanted, offset = 0 }) {
      const { path, bytes, text } = await readSkillFile(findSkill(skill, await store.read()), wanted)
      if (text === undefined) return { path, text: `(not text: ${bytes.toLocaleString('en')} bytes, not shown)` }
      if (offset > 0 && offset >= text.length) throw new ToolFailure(`'${path}' ends at ${text.length} characters.`)
      const end = endOfPage(text, offset)
      return { path, text: text.slice(offset, end), ...(end < text.length ? { next_offset: end } : {}) }
    },
  })

/** Returns the end of a page: after a line if that leaves half a page, and never within a character. */
const endOfPage = (text: string, offset: number): number => {
  const end = offset + pageLength
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1) + 1
  if (line >= offset + pageLength / 2) return line
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end
}
