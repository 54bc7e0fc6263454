import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'MCP servers',
  summary: 'Reports the state of the MCP servers. Each server is a capability of its own.',
  whenToUse: ['someone asks which MCP servers there are, or about their state'],
  whenNotToUse: ['using a server (load the capability with its name)'],
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
