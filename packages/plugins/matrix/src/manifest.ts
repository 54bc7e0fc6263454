import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Matrix',
  summary: 'Answers people in Matrix rooms, and writes to rooms.',
  whenToUse: ['someone wants something said in a Matrix room, or asks which rooms there are'],
  load: 'always',
}
