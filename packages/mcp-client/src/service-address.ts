import { z } from 'zod'
import type { McpServerAddress } from './connection/mcp-server-address.ts'

/** An address of HTTP or HTTPS without a user name or password: those go into a token. */
export const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine(url => !URL.canParse(url) || !hasCredentials(new URL(url)), 'must not have a user name or password in it')

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** A command whose standard input and output are an MCP server: `stdio:npx -y @modelcontextprotocol/server-memory`. */
const serviceCommand = z.string().regex(/^stdio:.*[^\s"]/, 'must be stdio: and a command')

/** Value of a variable such as `MEMORY_MCP_URL`: the URL of an MCP server (streamable HTTP), `stdio:` and a command, or `embedded:`. */
export const mcpServiceAddress = z.union([serviceUrl, z.literal('embedded:'), serviceCommand])

/** Returns whether the value of such a variable names a server of its own: by a URL or by a command. */
export const isServiceAddress = (value: string | undefined): value is string =>
  value !== undefined && value !== 'embedded:' && mcpServiceAddress.safeParse(value).success

/**
 * Returns how the server of such a variable is reached. A command is split at spaces; double quotes keep spaces together. No
 * shell reads it.
 *
 * @param token The oracle's bearer token at a URL; a command gets none.
 */
export const serviceAddress = (value: string, token: string | undefined): McpServerAddress => {
  if (!value.startsWith('stdio:')) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return { kind: 'http', url: value, headers, way: 'streamable' }
  }
  const [command = '', ...args] = wordsOf(value.slice('stdio:'.length))
  return { kind: 'stdio', command, args, env: {} }
}

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''))
