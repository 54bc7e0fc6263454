import { defineErrors } from '@sibyl/plugin'

export const mcpErrors = defineErrors({
  mcp_server_unknown: { status: 404, message: 'There is no MCP server of this name. GET /mcp/servers lists them.' },
  mcp_tool_not_changed: {
    status: 409,
    message: 'No change of {tools} waits under that fingerprint. Look again at GET /mcp/servers.',
  },
})
