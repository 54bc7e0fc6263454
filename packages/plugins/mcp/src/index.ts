export { type McpOptions, mcp } from './mcp.ts'
