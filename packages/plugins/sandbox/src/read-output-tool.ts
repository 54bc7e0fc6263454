import { defineTool, personalAbility, ToolFailure, untrustedContent } from '@sibyl/plugin'
import { z } from 'zod'
import type { KeptOutputs } from './outputs/kept-outputs.ts'

/** How much of a text one call reads, in characters. */
const pageCharacters = 8_000

/** The tool `read_output`. */
export const readOutputTool = (outputs: KeptOutputs) =>
  defineTool({
    description: 'Reads on in a long result, output or file of run_code, 8,000 characters at a time; kept for a day.',
    effect: 'read',
    ability: ['sandbox/read', personalAbility],
    input: z.object({ id: z.string().min(1).max(100), offset: z.int().min(0).default(0) }),
    output: z.object({
      name: z.string(),
      characters: z.number().describe('of the whole'),
      content: z.object({ source: z.string(), notice: z.string(), text: z.string() }),
      next: z.number().optional().describe('the offset of what follows'),
    }),
    execute: async ({ id, offset }, { turn }) => {
      const kept = await outputs.find(turn.actor.did, id)
      if (!kept)
        throw new ToolFailure('There is no such output, or no more: they are kept for a day. Run the code again.')
      const { name, text } = kept
      const end = pageEnd(text, offset)
      return {
        name,
        characters: text.length,
        content: untrustedContent(name, text.slice(offset, end)),
        ...(end < text.length ? { next: end } : {}),
      }
    },
  })

/** The end of a page: not inside a pair of surrogates. */
const pageEnd = (text: string, offset: number): number => {
  const end = Math.min(text.length, offset + pageCharacters)
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}
