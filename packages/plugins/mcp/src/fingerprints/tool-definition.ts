import { createHash } from 'node:crypto'
import type { McpTool } from '@sibyl/mcp-client'
import type { JsonObject, JsonValue } from '@sibyl/protocol'

/** The parts of a tool's definition that a model or an approval depends on. */
export interface ToolDefinition extends JsonObject {
  readonly title: string | null
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | null
  readonly annotations: JsonObject
}

/** Returns the stored definition of a tool. */
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

/** Returns the SHA-256 of a tool's name and definition, in hexadecimal, regardless of the order of members. */
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

/** A member of a definition before and after a change. */
export interface DefinitionChange {
  readonly member: string
  readonly before: JsonValue
  readonly after: JsonValue
}

/** Returns the differences between two definitions; without an earlier one, all members. */
export const definitionChanges = (before: ToolDefinition | undefined, after: ToolDefinition): DefinitionChange[] =>
  Object.keys(after).flatMap(member => {
    const [old, now] = [before?.[member] ?? null, after[member] ?? null]
    return JSON.stringify(sorted(old)) === JSON.stringify(sorted(now)) ? [] : [{ member, before: old, after: now }]
  })
