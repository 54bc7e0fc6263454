import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { McpContent, McpOutcome } from '../mcp-connection.ts'
import { cutContent } from './cut-content.ts'
import { readContent } from './read-content.ts'

const resultSchema = z.object({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.record(z.string(), z.unknown()).optional().catch(undefined),
  isError: z.boolean().catch(false),
})

/** The result of a call, cut to so many characters of its JSON; the text comes first, then what is structured. */
export const readResult = (value: unknown, maxCharacters: number): Extract<McpOutcome, { kind: 'result' }> => {
  const { content, structuredContent, isError } = resultSchema.parse(value)
  const known = content.flatMap(part => readContent(part) ?? unknownPart)
  const { kept, left, isCut } = cutContent(known, maxCharacters)
  const fits = structuredContent !== undefined && JSON.stringify(structuredContent).length <= left
  return {
    kind: 'result',
    isError,
    content: kept,
    ...(fits && { structured: structuredContent as JsonObject }),
    isCut: isCut || (structuredContent !== undefined && !fits),
  }
}

const unknownPart: McpContent = { type: 'text', text: '(a part of a kind that is not known)' }
