export { connectMcp } from './connect-mcp.ts'
export {
  connectService,
  jsonOfResult,
  type McpResult,
  type McpService,
  type McpServiceLog,
  type McpServiceOptions,
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
export { McpCallFailed, McpError, McpTimeout, McpToolMissing, McpUnavailable } from './errors/mcp-errors.ts'
export { networkEnvironment } from './link/network-environment.ts'
export { isServiceAddress, mcpServiceAddress, serviceUrl } from './service-address.ts'
export { argumentsOf, type ServiceTools, toolNames } from './service-tools.ts'
