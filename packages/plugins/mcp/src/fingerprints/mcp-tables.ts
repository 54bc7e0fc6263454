import type { JsonColumn, Migrations } from '@sibyl/plugin/storage'
import type { ToolDefinition } from './tool-definition.ts'

/** A tool of a server as it was accepted, and as it is now where that is something else. */
export interface McpToolRow {
  server: string
  /** The DID of the person whose connection it is; empty where the oracle's own is for all. */
  caller: string
  tool: string
  /** Of the definition that may be used; empty for a new tool that the operator has not confirmed. */
  fingerprint: string
  /** Of a new tool that the operator has not confirmed, the definition that was seen first. */
  definition: JsonColumn<ToolDefinition>
  first_seen_at: number
  /** Kept to the day. */
  seen_at: number
  /** Of the definition that waits for the operator. */
  changed_fingerprint: string | null
  changed_definition: JsonColumn<ToolDefinition, null>
  changed_at: number | null
  confirmed_at: number | null
}

export interface McpTables {
  mcp_tools: McpToolRow
}

/** All tables of this plugin. */
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
