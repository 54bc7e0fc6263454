import { z } from 'zod'
import type { McpPrompt, McpResource } from '../connection/mcp-connection.ts'
import type { McpLimits } from '../connection/mcp-limits.ts'
import { cleanLine, cleanText } from './clean-text.ts'

const description = z.string().optional().catch(undefined)

const resourceSchema = z.object({
  uri: z.string().max(4_000),
  name: z.string(),
  description,
  mimeType: z.string().optional().catch(undefined),
})

const promptSchema = z.object({
  name: z.string().max(200),
  description,
  arguments: z
    .array(z.object({ name: z.string().max(200), description, required: z.boolean().catch(false) }))
    .max(50)
    .catch([]),
})

/** Parses a resource of a list; undefined if it is invalid. */
export const readResource = (value: unknown, { maxDescription }: McpLimits): McpResource | undefined => {
  const parsed = resourceSchema.safeParse(value)
  if (!parsed.success) return undefined
  const { uri, name, description, mimeType } = parsed.data
  return {
    uri,
    name: cleanLine(name, 200),
    ...(description !== undefined && { description: cleanText(description, maxDescription) }),
    ...(mimeType !== undefined && { mimeType: cleanLine(mimeType, 200) }),
  }
}

/** A template of addresses, its pattern as `uri`. */
export const readResourceTemplate = (value: unknown, limits: McpLimits): McpResource | undefined =>
  typeof value === 'object' && value !== null && 'uriTemplate' in value
    ? readResource({ ...value, uri: value.uriTemplate }, limits)
    : undefined

/** Parses a prompt of a list; undefined if it is invalid. */
export const readPrompt = (value: unknown, { maxDescription }: McpLimits): McpPrompt | undefined => {
  const parsed = promptSchema.safeParse(value)
  if (!parsed.success) return undefined
  const described = (text: string | undefined) =>
    text === undefined ? {} : { description: cleanText(text, maxDescription) }
  return {
    name: parsed.data.name,
    ...described(parsed.data.description),
    arguments: parsed.data.arguments.map(({ name, description, required }) => ({
      name,
      ...described(description),
      required,
    })),
  }
}
