import type { JsonColumn, Migrations } from '@sibyl/plugin/storage'
import type { ToolDefinition } from './tool-definition.ts'

/** A tool of a server as accepted, and its current definition if that differs. */
export interface McpToolRow {
  server: string
  /** DID of the connection's caller; empty for the shared connection of the oracle. */
  caller: string
  tool: string
  /** Fingerprint of the accepted definition; empty for a new tool that the operator has not confirmed. */
  fingerprint: string
  /** The accepted definition; for an unconfirmed new tool, the first one. */
  definition: JsonColumn<ToolDefinition>
  first_seen_at: number
  /** Stored with a precision of one day. */
  seen_at: number
  /** Fingerprint of the definition that waits for the operator. */
  changed_fingerprint: string | null
  changed_definition: JsonColumn<ToolDefinition, null>
  changed_at: number | null
  confirmed_at: number | null
}

export interface McpTables {
  mcp_tools: McpToolRow
}

export const mcpMigrations: Migrations = {
  '0001-tools': async (db, { text, timestamp, json, storedByKey }) => {
    await db.schema
      .createTable('mcp_tools')
      .addColumn('server', text, column => column.notNull())
      .addColumn('caller', text, column => column.notNull())
      .addColumn('tool', text, column => column.notNull())
      .addColumn('fingerprint', text, column => column.notNull())
      .addColumn('definition', json, column => column.notNull())
      .addColumn('first_seen_at', timestamp, column => column.notNull())
      .addColumn('seen_at', timestamp, column => column.notNull())
      .addColumn('changed_fingerprint', text)
      .addColumn('changed_definition', json)
      .addColumn('changed_at', timestamp)
      .addColumn('confirmed_at', timestamp)
      .addPrimaryKeyConstraint('mcp_tools_key', ['server', 'caller', 'tool'])
      .modifyEnd(storedByKey)
      .execute()
  },
}
