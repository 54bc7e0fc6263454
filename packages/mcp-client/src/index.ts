export { connectMcp } from './connect-mcp.ts'
export {
  connectService,
  jsonOfResult,
  type McpResult,
  type McpService,
  type McpServiceOptions,
  textOfResult,
} from './connect-service.ts'
export { networkEnvironment } from './link/network-environment.ts'
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
} from './mcp-connection.ts'
export type { McpConnectionOptions } from './mcp-connection-options.ts'
export { McpCallFailed, McpError, McpTimeout, McpUnavailable } from './mcp-errors.ts'
export { defaultMcpLimits, type McpLimits } from './mcp-limits.ts'
export type { HttpServer, McpServerAddress, StdioServer } from './mcp-server-address.ts'
export { mcpServiceAddress, serviceUrl } from './mcp-service-address.ts'
