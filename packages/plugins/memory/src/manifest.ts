import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Memory',
  summary: 'Remembers what people tell the oracle, and finds it again.',
  whenToUse: ['someone tells something about themselves that is worth keeping'],
  load: 'always',
}
