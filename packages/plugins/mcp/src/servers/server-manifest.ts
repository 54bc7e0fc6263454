import { cleanText, type Manifest } from '@sibyl/plugin'
import type { ServerWords } from '../links/server-ways.ts'
import type { ServerEntry } from '../servers-file/server-entry.ts'
import { toolName, toolPrefix } from '../tools/tool-name.ts'

/**
 * What list and load tell of a server: in the operator's words where there are some, else in its own, marked as such.
 *
 * @param prefixes of all servers
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
    whenToUse: whenToUse
      ? [...whenToUse]
      : [`the person needs something of ${shortText(written, 60) || name}, an MCP server`],
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

/** Cleans a text to the length that manifests take, which counts UTF-16 units. */
const shortText = (text: string, most: number): string => {
  const clean = cleanText(text)
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).toWellFormed()}…`
}
