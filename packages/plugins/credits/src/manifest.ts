import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Credits',
  summary: 'Counts what turns cost, and how much credit a person has left.',
  whenToUse: ['someone asks for their balance, or what they have used'],
  load: 'always',
}
