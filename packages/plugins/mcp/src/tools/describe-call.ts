import type { JsonObject } from '@sibyl/protocol'
import { cleanText } from '../clean-text.ts'

const maxArguments = 8

/** The question whether a call may be made, in plain words. The server's own words about the tool are not in it. */
export const describeCall = (server: string, tool: string, args: JsonObject): string => {
  const entries = Object.entries(args)
  const shown = entries
    .slice(0, maxArguments)
    .map(([name, value]) => `${cleanText(name, 40)} ${cleanText(JSON.stringify(value), 80)}`)
  const more = entries.length > maxArguments ? `, and ${entries.length - maxArguments} more` : ''
  const given = shown.length > 0 ? ` with ${shown.join(', ')}${more}` : ''
  return `Run “${tool}” on the MCP server “${server}”${given}`
}
