import { cleanText, type Manifest } from '@sibyl/plugin'
import type { ServerWords } from '../links/server-ways.ts'
import type { ServerEntry } from '../servers-file/server-entry.ts'
import { toolName, toolPrefix } from '../tools/tool-name.ts'

/**
 * Returns the manifest of a server: from the operator's description if there is one, otherwise from the server's own,
 * marked as such.
 *
 * @param prefixes prefixes of all servers
 */
export const serverManifest = (
  { name, title: written, manifest }: ServerEntry,
  prefixes: readonly string[],
  words?: ServerWords,
): Manifest => {
  const { summary, whenToUse, whenNotToUse, tags, examples = [] } = manifest
  const title = shortText(words?.title ?? written, 60) || name
  return {
    title,
    summary: summary ?? summaryOf(name, words),
    whenToUse: whenToUse ? [...whenToUse] : [`the user needs the MCP server ${shortText(written, 60) || name}`],
    ...(whenNotToUse ? { whenNotToUse } : {}),
    ...(tags ? { tags } : {}),
    examples: examples.map(example => ({
      ...example,
      tool: `${toolPrefix(name)}${toolName(name, example.tool, prefixes)}`,
    })),
  }
}

const summaryOf = (name: string, words: ServerWords | undefined): string => {
  const [sentence] = (words?.instructions ?? '').trim().split(/(?<=[.!?])\s/)
  if (words !== undefined && sentence) return shortText(`The MCP server ${name} says: ${sentence}`, 200)
  if (words !== undefined && words.tools.length > 0)
    return shortText(`The MCP server ${name}: ${words.tools.map(tool => tool.replaceAll('_', ' ')).join(', ')}`, 200)
  return `Tools of the MCP server ${name}.`
}

/** Cleans and shortens a text to the maximum length of manifests, in UTF-16 units. */
const shortText = (text: string, max: number): string => {
  const clean = cleanText(text)
  return clean.length <= max ? clean : `${clean.slice(0, max - 1).toWellFormed()}…`
}
