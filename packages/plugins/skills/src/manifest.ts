import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Skills',
  summary: 'Instructions for special work, loaded when they are needed.',
  whenToUse: ['a task may have instructions of its own'],
  load: 'always',
}
