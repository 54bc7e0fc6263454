import type { JsonColumn } from '@sibyl/plugin/storage'
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
