import { column, createTables, defineTable, type TablesOf } from '@sibyl/plugin'
import type { Selectable } from '@sibyl/plugin/storage'
import { z } from 'zod'
import type { ToolDefinition } from './tool-definition.ts'

/** A tool of a server as accepted, and its current definition if that differs. */
const tools = defineTable(
  'mcp_tools',
  {
    server: column.text(),
    /** DID of the connection's caller; empty for the shared connection of the oracle. */
    caller: column.text(),
    tool: column.text(),
    /** Fingerprint of the accepted definition; empty for a new tool that the operator has not confirmed. */
    fingerprint: column.text(),
    /** The accepted definition; for an unconfirmed new tool, the first one. */
    definition: column.json(z.custom<ToolDefinition>()),
    first_seen_at: column.timestamp(),
    /** Stored with a precision of one day. */
    seen_at: column.timestamp(),
    /** Fingerprint of the definition that waits for the operator. */
    changed_fingerprint: column.text().nullable(),
    changed_definition: column.json(z.custom<ToolDefinition>()).nullable(),
    changed_at: column.timestamp().nullable(),
    confirmed_at: column.timestamp().nullable(),
  },
  { primaryKey: ['server', 'caller', 'tool'], storedByKey: true },
)

const mcpTables = [tools] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type McpTables = TablesOf<typeof mcpTables>

export type McpToolRow = Selectable<McpTables['mcp_tools']>

export const mcpMigrations = { '0100-base': createTables(mcpTables) }
