import type { OraclePlugin, PluginParts, Tool } from '@sibyl/plugin'
import { fillTables } from './fill-tables.ts'
import { markdownTable } from './markdown-table.ts'

/** A plugin with what its setup gave back. */
export interface PluginWithParts {
  readonly plugin: OraclePlugin
  readonly parts: PluginParts
}

/** Returns the page `docs/reference/plugins.md` with its tables. */
export const pluginsPage = (plugins: readonly PluginWithParts[], page: string): string =>
  fillTables(page, {
    plugins: markdownTable(['Plugin', 'Purpose', 'Loading', 'Tools', 'Enabled by'], plugins.map(pluginRow)),
    tools: markdownTable(['Tool', 'Plugin', 'Effect', 'Needs'], plugins.flatMap(toolRows)),
    prompts: markdownTable(['Plugin', 'Needs'], plugins.flatMap(promptRows)),
  })

const pluginRow = ({ plugin, parts }: PluginWithParts): string[] => {
  const { name, manifest, optIn } = plugin
  return [
    `\`${name}\``,
    manifest.summary,
    manifest.load ?? 'on-demand',
    codes(toolsOf(parts).map(([tool]) => tool)),
    optIn.length === 0 ? 'always on' : codes(optIn),
  ]
}

const toolRows = ({ plugin, parts }: PluginWithParts): string[][] =>
  toolsOf(parts).map(([tool, { effect, ability }]) => [
    `\`${tool}\``,
    `\`${plugin.name}\``,
    effect,
    needs(ability ?? 'chat/send'),
  ])

const promptRows = ({ plugin, parts: { instructions } }: PluginWithParts): string[][] =>
  typeof instructions === 'object' ? [[`\`${plugin.name}\``, needs(instructions.ability)]] : []

const toolsOf = ({ tools = {} }: PluginParts): [string, Tool][] =>
  typeof tools === 'function' ? [] : Object.entries(tools)

const needs = (ability: NonNullable<Tool['ability']>): string =>
  [ability]
    .flat()
    .map(name => `\`${name}\``)
    .join(' or ')

const codes = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')
