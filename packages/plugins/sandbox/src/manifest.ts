import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Sandbox',
  summary: 'Runs code where it can do no harm.',
  whenToUse: ['something is to be calculated or transformed by a program'],
  load: 'on-demand',
}
