import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { McpContent, McpOutcome } from '../connection/mcp-connection.ts'
import { cutContent } from './cut-content.ts'

const resourceSchema = z.object({
  uri: z.string(),
  mimeType: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  blob: z.string().optional().catch(undefined),
})

const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource'), resource: resourceSchema }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    description: z.string().optional().catch(undefined),
  }),
])

/** Parses a part of a response; undefined if its type is unknown. */
export const readContent = (value: unknown): McpContent | undefined => {
  const parsed = contentSchema.safeParse(value)
  if (!parsed.success) return undefined
  const content = parsed.data
  if (content.type === 'text') return { type: 'text', text: content.text }
  if (content.type === 'resource') return asContent(content.resource)
  if (content.type === 'resource_link') {
    const { uri, name, description } = content
    return { type: 'link', uri, name, ...(description !== undefined && { description }) }
  }
  return { type: 'binary', mimeType: content.mimeType, bytes: decodedBytes(content.data) }
}

/** Parses the content of a resource. */
export const readResourceContent = (value: unknown): McpContent | undefined => {
  const parsed = resourceSchema.safeParse(value)
  return parsed.success ? asContent(parsed.data) : undefined
}

const asContent = ({ uri, mimeType, text, blob }: z.infer<typeof resourceSchema>): McpContent =>
  blob !== undefined && text === undefined
    ? { type: 'binary', mimeType: mimeType ?? 'application/octet-stream', bytes: decodedBytes(blob) }
    : { type: 'resource', uri, ...(mimeType !== undefined && { mimeType }), ...(text !== undefined && { text }) }

/** Returns the number of bytes that a base64 text encodes. */
const decodedBytes = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

const resultSchema = z.object({
  content: z.array(z.unknown()).default([]),
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

const unknownPart: McpContent = { type: 'text', text: '(a part of an unknown kind)' }
