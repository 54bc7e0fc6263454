import { z } from 'zod'
import type { McpTool } from './connection/mcp-connection.ts'
import { cleanLine } from './reading/clean-text.ts'

/** The tools that a plugin calls at a service. */
export interface ServiceTools {
  /** Names at the server, each with the arguments that it must take. */
  readonly needed: Readonly<Record<string, readonly string[]>>
  /** Sentence with the variable to set where one is missing: `Set MEMORY_MCP_TOOLS, such as …`. */
  readonly remedy: string
}

/** So many of the names at a server are listed in a message. */
const maxListed = 30

/**
 * Returns what keeps a server from being used: a missing tool, or a missing argument. The message lists what it has and what
 * to set; undefined where nothing is missing.
 *
 * @param server Its name in messages.
 */
export const toolViolation = (
  server: string,
  tools: readonly McpTool[],
  { needed, remedy }: ServiceTools,
): string | undefined => {
  const missing = Object.keys(needed).filter(name => !tools.some(tool => tool.name === name))
  if (missing.length > 0) {
    const found = tools.length === 0 ? 'It has no tools.' : `It has ${listOf(tools.map(({ name }) => name))}.`
    return `The MCP server ${server} has no tool ${listOf(missing)}. ${found} ${remedy}`
  }
  for (const [name, args] of Object.entries(needed)) {
    const known = argumentsOf(tools.find(tool => tool.name === name))
    const unknown = known.length === 0 ? [] : args.filter(arg => !known.includes(arg))
    if (unknown.length === 0) continue
    return `The tool ${name} of the MCP server ${server} takes no ${listOf(unknown)}. It takes ${listOf(known)}. ${remedy}`
  }
  return undefined
}

const listOf = (names: readonly string[]): string => {
  const shown = names.slice(0, maxListed).map(name => cleanLine(name, 60))
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Returns the names of a tool's arguments; none where its schema lists none. */
export const argumentsOf = (tool: McpTool | undefined): readonly string[] => {
  const properties: unknown = tool?.inputSchema.properties
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}

/**
 * Schema of a variable such as `MEMORY_MCP_TOOLS`: pairs of a name that the plugin uses and the name at the server, separated
 * by commas: `remember=save_memory,recall=search_memory`. It gives an object of them.
 *
 * @param names The names that the plugin uses.
 */
export const toolNames = <const Name extends string>(names: readonly Name[]) =>
  z.string().transform((text, context): Partial<Record<Name, string>> => {
    const pairs: Partial<Record<Name, string>> = {}
    const violation = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    for (const pair of text.split(',')) {
      const [, name, tool] = /^\s*([\w.-]{1,60})\s*=\s*([\w./-]{1,128})\s*$/.exec(pair) ?? []
      if (name === undefined || tool === undefined)
        return violation('must be pairs such as name=tool, separated by commas')
      const known = names.find(one => one === name)
      if (known === undefined) return violation(`must not map '${name}'; the names are ${names.join(', ')}`)
      if (pairs[known] !== undefined) return violation(`must map '${name}' once`)
      pairs[known] = tool
    }
    return pairs
  })
