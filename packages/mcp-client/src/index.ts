export { connectMcp } from './connect-mcp.ts'
export {
  connectService,
  jsonOfResult,
  type McpResult,
  type McpService,
  type McpServiceOptions,
  mcpServiceAddress,
  serviceUrl,
  textOfResult,
} from './connect-service.ts'
export type {
  McpCallOptions,
  McpConnection,
  McpContent,
  McpLog,
  McpOutcome,
  McpPrompt,
  McpQuestion,
  McpResource,
  McpState,
  McpTool,
} from './connection/mcp-connection.ts'
export type { McpConnectionOptions } from './connection/mcp-connection-options.ts'
export { defaultMcpLimits, type McpLimits } from './connection/mcp-limits.ts'
export type { HttpServer, McpServerAddress, StdioServer } from './connection/mcp-server-address.ts'
export { McpCallFailed, McpError, McpTimeout, McpUnavailable } from './errors/mcp-errors.ts'
export { networkEnvironment } from './link/network-environment.ts'
