import type { Manifest } from '@sibyl/core'

/** What the agent and people learn about the plugin. */
export const manifest: Manifest = {
  title: 'Credentials',
  summary: 'Verifiable credentials: issue, verify, revoke, suspend, and resolve DIDs.',
  whenToUse: ['someone issues, verifies or revokes a credential, or resolves a DID'],
  whenNotToUse: ['credits: prepaid amounts and balances'],
  tags: ['credentials', 'verification'],
  load: 'on-demand',
}
