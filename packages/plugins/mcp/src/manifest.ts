import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'MCP servers',
  summary: 'Tells how the MCP servers are. Each server is a capability of its own.',
  whenToUse: ['someone asks which MCP servers there are and how they are'],
  whenNotToUse: ['for what a server does: load the capability of its name'],
  load: 'on-demand',
  tags: ['mcp', 'servers', 'tools'],
  examples: [
    {
      user: ['Which MCP servers are there?', 'How are the MCP servers?', 'Show the state of the MCP servers'],
      tool: 'mcp_status',
      args: {},
      answer: '{summary}',
    },
  ],
}
