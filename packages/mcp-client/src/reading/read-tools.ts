import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import type { McpTool } from '../connection/mcp-connection.ts'
import type { McpLimits } from '../connection/mcp-limits.ts'
import { cleanLine, cleanText } from './clean-text.ts'
import { headerViolation } from './header-violation.ts'

/** The part of a tool that an operator and a model need, as it stands in a list. */
const toolSchema = z.object({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  outputSchema: z.looseObject({}).optional().catch(undefined),
  annotations: z
    .object({
      readOnlyHint: z.boolean().optional().catch(undefined),
      destructiveHint: z.boolean().optional().catch(undefined),
      idempotentHint: z.boolean().optional().catch(undefined),
      openWorldHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** The names that the protocol allows (SEP-986); what is longer or has other characters is left out. */
const toolName = /^[A-Za-z0-9_./-]{1,128}$/

/** Parses the tools of a server: each name once, truncated, and without those that cannot be called. */
export const createToolReader = (limits: McpLimits) => {
  const tools = new Map<string, McpTool>()
  const leftOut: { name: string; fault: string }[] = []
  let tooMany = 0

  const leave = (name: string, violation: string) => {
    if (leftOut.length < limits.maxListed) leftOut.push({ name: cleanLine(name, 100), fault: violation })
  }

  const add = (value: unknown) => {
    const parsed = toolSchema.safeParse(value)
    if (!parsed.success) return leave(nameOf(value), violationOf(parsed.error))
    const { name, title, description = '', inputSchema, outputSchema, annotations = {} } = parsed.data
    if (!toolName.test(name))
      return leave(name, 'Its name has characters other than A-Z, a-z, 0-9, _ - . / or is too long.')
    if (tools.has(name)) return leave(name, 'Its name is a duplicate; only the first one is kept.')
    if (tools.size >= limits.maxListed) {
      tooMany++
      return
    }
    const size = sizeOf(inputSchema)
    if (size > limits.maxSchema) return leave(name, `Its input schema is larger than ${limits.maxSchema} characters.`)
    const violation = headerViolation(inputSchema)
    if (violation) return leave(name, violation)
    const output = outputSchema && sizeOf(outputSchema) <= limits.maxSchema ? outputSchema : undefined
    tools.set(name, {
      name,
      ...(title !== undefined && { title: cleanLine(title, 200) }),
      description: cleanText(description, limits.maxDescription),
      inputSchema: inputSchema as JsonObject,
      ...(output && { outputSchema: output as JsonObject }),
      annotations: {
        readOnly: annotations.readOnlyHint ?? false,
        destructive: annotations.destructiveHint ?? true,
        idempotent: annotations.idempotentHint ?? false,
        openWorld: annotations.openWorldHint ?? true,
      },
    })
  }

  return {
    /** Takes the tools of a page. */
    add: (values: readonly unknown[]): void => {
      for (const value of values) add(value)
    },
    /** Whether more pages are of use. */
    get isFull() {
      return tools.size >= limits.maxListed || leftOut.length >= limits.maxListed
    },
    tools: (): {
      readonly tools: readonly McpTool[]
      readonly leftOut: readonly { name: string; fault: string }[]
    } => ({
      tools: [...tools.values()],
      leftOut: tooMany
        ? [...leftOut, { name: `${tooMany} more`, fault: `Only ${limits.maxListed} tools are kept.` }]
        : leftOut,
    }),
  }
}

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : '(none)'

const violationOf = (error: z.ZodError): string =>
  error.issues[0]?.path[0] === 'inputSchema'
    ? 'Its input schema is not an object schema.'
    : 'It is not a valid tool description.'

/** Infinite where it is nested too deeply to be written. */
const sizeOf = (value: unknown): number => {
  try {
    return JSON.stringify(value).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
