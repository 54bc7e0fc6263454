import type { OraclePlugin, PluginParts, Tool } from '@sibyl/plugin'
import { markdownTable } from './markdown-table.ts'

/** A plugin with what its setup gave back. */
export interface PluginWithParts {
  readonly plugin: OraclePlugin
  readonly parts: PluginParts
}

/** The page `docs/reference/plugins.md`. */
export const pluginsPage = (plugins: readonly PluginWithParts[]): string => `# Plugins

The plugins that \`bundledPlugins()\` from \`@sibyl/bundle\` holds. The agent has the tools of an \`always\` plugin from
the first step; it loads an \`on-demand\` plugin when it needs it. Each plugin's variables are in
[the environment](env.md).

This page is written by \`npx -y pnpm@12 reference\` from the sources.

${markdownTable(['Plugin', 'What it is for', 'Loading', 'Tools', 'Switched on by'], plugins.map(pluginRow))}

## Tools

What a caller needs to have the agent call a tool; one of the abilities is enough. \`chat/*\` covers \`chat/personal\`. The
tools of an MCP server need \`mcp/<server>\` or \`chat/personal\`, unless \`ability\` in \`mcp.json\` names another one. More is in
[who may talk to an oracle](../guide/access.md#rights-of-the-agent).

${markdownTable(['Tool', 'Plugin', 'Effect', 'Needs'], plugins.flatMap(toolRows))}

What a plugin adds to the prompt about the caller joins the turns of callers who hold one of these abilities alone.

${markdownTable(['Plugin', 'Needs'], plugins.flatMap(promptRows))}
`

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
