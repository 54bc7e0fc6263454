export { type McpServerRecord, mcpServerRecord } from './server-record.ts'
