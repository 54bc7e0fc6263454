import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'MCP servers',
  summary: 'Tools of MCP servers, each server a capability of its own.',
  whenToUse: ['someone asks which MCP servers there are and how they are'],
  load: 'on-demand',
}
