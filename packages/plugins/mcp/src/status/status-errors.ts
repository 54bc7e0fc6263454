import { OracleError } from '@sibyl/plugin'

/** No server of that name is in the file. */
export class McpServerUnknown extends OracleError {
  readonly code = 'mcp_server_unknown'
  override readonly status = 404

  constructor() {
    super('There is no MCP server of this name. GET /mcp/servers lists them.')
  }
}

/** What is to be confirmed is not what waits to be. */
export class McpToolNotChanged extends OracleError {
  readonly code = 'mcp_tool_not_changed'
  override readonly status = 409

  constructor(tools: readonly string[]) {
    super(`No change of ${tools.join(', ')} waits under that fingerprint. Look again at GET /mcp/servers.`)
  }
}
