import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Preferences',
  summary: 'Keeps what a person prefers: language, units, tone, time zone and name.',
  whenToUse: ['someone wants answers in another language, unit or tone, or tells their name or time zone'],
  load: 'always',
}
