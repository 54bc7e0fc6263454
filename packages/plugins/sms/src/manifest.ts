import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'SMS',
  summary: 'Sends SMS and answers those that come in.',
  whenToUse: ['someone wants an SMS sent, or asks which were'],
  load: 'on-demand',
}
