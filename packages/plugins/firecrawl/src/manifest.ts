import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Firecrawl',
  summary: 'Reads web pages as Markdown.',
  whenToUse: ['someone asks what a web page says'],
  load: 'on-demand',
}
