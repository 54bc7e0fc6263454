import type { JsonObject } from '@sibyl/protocol'
import { z } from 'zod'
import { connectMcp } from './connect-mcp.ts'
import type { McpConnection, McpOutcome, McpState, McpTool } from './connection/mcp-connection.ts'
import type { McpConnectionOptions } from './connection/mcp-connection-options.ts'
import { McpCallFailed, McpUnavailable } from './errors/mcp-errors.ts'

/** The result of a call of a service. */
export type McpResult = Extract<McpOutcome, { kind: 'result' }>

/** The MCP server that stands behind a plugin, such as the one that `MEMORY_MCP_URL` names. */
export interface McpService {
  state(): McpState
  /** Why it is degraded, safe to show. */
  reason(): string | undefined
  /** Its tools as they were last listed. */
  tools(): readonly McpTool[]
  /**
   * Calls a tool. A question of the server is canceled, because no user can answer it. Throws `McpUnavailable`,
   * `McpCallFailed`, `McpTimeout`, and the reason of the signal.
   */
  call(tool: string, args: JsonObject, signal?: AbortSignal): Promise<McpResult>
  close(): Promise<void>
}

/** Where it is. */
export interface McpServiceOptions extends Pick<McpConnectionOptions, 'name' | 'limits' | 'log' | 'now'> {
  /** Its address for streamable HTTP. */
  readonly url: string
  /** The oracle's bearer token there; a person's is never sent. */
  readonly token: string | undefined
  /** Where the connection is begun: `host.background`, so that boot waits for nothing and an inspection connects nothing. */
  readonly background: (name: string, start: () => Promise<void>) => void
}

/** Maximum wait of the boot log for the connection, in milliseconds. */
const tellWithinMs = 2_000

/** Connects to a service once the oracle is up, and stays connected. */
export const connectService = ({ url, token, background, ...options }: McpServiceOptions): McpService => {
  let connection: McpConnection | undefined
  background('connection', async () => {
    connection = connectMcp({
      ...options,
      address: {
        kind: 'http',
        url,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        way: 'streamable',
      },
    })
    await connection.ready(AbortSignal.timeout(tellWithinMs)).catch(() => {})
  })
  return {
    state: () => connection?.state ?? 'pending',
    reason: () => connection?.reason,
    tools: () => connection?.tools ?? [],
    async call(tool, args, signal) {
      if (!connection) throw new McpUnavailable(`The MCP server ${options.name} is not connected yet.`)
      const outcome = await connection.call(tool, args, signal ? { signal } : {})
      if (outcome.kind === 'result') return outcome
      options.log.warn('An MCP server asked a question, and no user can answer it', {
        server: options.name,
        tool,
      })
      await outcome.answer({ action: 'cancel' }).catch(() => {})
      throw new McpCallFailed(`The MCP server ${options.name} asked a question, and no user can answer it.`)
    },
    close: async () => connection?.close(),
  }
}

/** Returns a result as JSON: its structured content, or its text if that is JSON; otherwise undefined. */
export const jsonOfResult = ({ structured, content }: McpResult): unknown => {
  if (structured) return structured
  try {
    return JSON.parse(textOfResult({ content }))
  } catch {
    return undefined
  }
}

/** All texts of a result, one after the other. */
export const textOfResult = ({ content }: Pick<McpResult, 'content'>): string =>
  content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')

/** An address of HTTP or HTTPS without a user name or password: those go into a token. */
export const serviceUrl = z
  .url({ protocol: /^https?$/ })
  .refine(url => !URL.canParse(url) || !hasCredentials(new URL(url)), 'must not have a user name or password in it')

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== ''

/** The value of a variable such as `MEMORY_MCP_URL`: the URL of an MCP server (streamable HTTP), or `embedded:`. */
export const mcpServiceAddress = z.union([serviceUrl, z.literal('embedded:')])
