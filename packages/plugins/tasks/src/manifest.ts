import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Tasks',
  summary: 'Does something later, once or again and again, and tells how it went.',
  whenToUse: ['someone wants something done later, at a time, or every day, week or month'],
  load: 'on-demand',
}
