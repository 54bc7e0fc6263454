import type { Manifest } from '@sibyl/core'

/** What agent and people learn of the plugin before they use it. */
export const manifest: Manifest = {
  title: 'Files',
  summary: 'Keeps files for each person: lists, reads, writes, searches and deletes them.',
  whenToUse: ['someone wants a file listed, read, written, searched or deleted'],
  load: 'on-demand',
}
