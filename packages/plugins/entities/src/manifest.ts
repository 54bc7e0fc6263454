import type { Manifest } from '@sibyl/core'

/** What the agent and people learn about the plugin. */
export const manifest: Manifest = {
  title: 'Entities',
  summary: 'Digital twins: devices, projects and organisations with DIDs, their protocols, relationships and history.',
  whenToUse: ['someone asks for a registered thing, registers one, or relates things'],
  whenNotToUse: ['claims about them, or credentials: those have plugins of their own'],
  tags: ['entities', 'digital-twins', 'registry'],
  load: 'always',
}
