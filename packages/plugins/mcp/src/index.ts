export { type McpOptions, mcp } from './mcp.ts'
export { type TriedServer, type TryServersOptions, tryServers } from './servers/try-servers.ts'
