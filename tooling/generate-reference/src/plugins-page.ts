import type { OraclePlugin } from '@sibyl/core'
import type { CapabilityRecord } from '@sibyl/protocol'
import { markdownTable } from './markdown-table.ts'

/**
 * The page `docs/reference/plugins.md`.
 *
 * @param records What a booted oracle says of the same plugins.
 */
export const pluginsPage = (plugins: readonly OraclePlugin[], records: readonly CapabilityRecord[]): string => {
  const tools = new Map(records.map(record => [record.name, record.tools]))
  return `# Plugins

The plugins that \`bundledPlugins()\` from \`@sibyl/bundle\` holds. The agent has the tools of an \`always\` plugin from
the first step; it loads an \`on-demand\` plugin when it needs it. Each plugin's variables are in
[the environment](env.md).

This page is written by \`npx -y pnpm@12 reference\` from the sources.

${markdownTable(
  ['Plugin', 'What it is for', 'Loading', 'Tools', 'Switched on by'],
  plugins.map(plugin => row(plugin, tools.get(plugin.name) ?? [])),
)}
`
}

const row = ({ name, manifest, optIn }: OraclePlugin, tools: readonly string[]): string[] => [
  `\`${name}\``,
  manifest.summary,
  manifest.load ?? 'on-demand',
  codes(tools),
  optIn.length === 0 ? 'always on' : codes(optIn),
]

const codes = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')
