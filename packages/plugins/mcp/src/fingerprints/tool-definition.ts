import { createHash } from 'node:crypto'
import type { McpTool } from '@sibyl/mcp-client'
import type { JsonObject, JsonValue } from '@sibyl/protocol'

/** What a tool says of itself that a model or an approval rests on. */
export interface ToolDefinition extends JsonObject {
  readonly title: string | null
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | null
  readonly annotations: JsonObject
}

/** A tool's definition as it is kept. */
export const definitionOf = ({
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: McpTool): ToolDefinition => ({
  title: title ?? null,
  description,
  inputSchema,
  outputSchema: outputSchema ?? null,
  annotations: { ...annotations },
})

/** The SHA-256 of a tool's name and definition, in hexadecimal; the order of members does not count. */
export const fingerprintOf = (tool: McpTool): string =>
  createHash('sha256')
    .update(JSON.stringify([tool.name, sorted(definitionOf(tool))]))
    .digest('hex')

const sorted = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, item]) => [name, sorted(item)])
}

/** One member of a definition before and after. */
export interface DefinitionChange {
  readonly member: string
  readonly before: JsonValue
  readonly after: JsonValue
}

/** The differences between two definitions; of a tool without one before, all members that it has. */
export const definitionChanges = (before: ToolDefinition | undefined, after: ToolDefinition): DefinitionChange[] =>
  Object.keys(after).flatMap(member => {
    const [old, now] = [before?.[member] ?? null, after[member] ?? null]
    return JSON.stringify(sorted(old)) === JSON.stringify(sorted(now)) ? [] : [{ member, before: old, after: now }]
  })
