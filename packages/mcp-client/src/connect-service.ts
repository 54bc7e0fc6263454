import { type JsonObject, parseJson } from '@sibyl/protocol'
import { connectMcp } from './connect-mcp.ts'
import type { McpConnection, McpLog, McpOutcome, McpState, McpTool } from './connection/mcp-connection.ts'
import type { McpConnectionOptions } from './connection/mcp-connection-options.ts'
import { McpCallFailed, McpToolMissing, McpUnavailable } from './errors/mcp-errors.ts'
import { serviceAddress } from './service-address.ts'
import { type ServiceTools, toolViolation } from './service-tools.ts'

/** Result of a call of a service. */
export type McpResult = Extract<McpOutcome, { kind: 'result' }>

/** The MCP server that stands behind a plugin, such as the one that `MEMORY_MCP_URL` names. */
export interface McpService {
  state(): McpState
  /** Why it is degraded, safe to show. */
  reason(): string | undefined
  /** The missing tool or argument that keeps it from being used, while it is connected. */
  fault(): string | undefined
  /** Its tools as they were last listed. */
  tools(): readonly McpTool[]
  /**
   * Calls a tool. A question of the server is canceled, because no user can answer it.
   *
   * Throws `McpUnavailable`, `McpCallFailed`, `McpToolMissing`, `McpTimeout`, and the reason of the signal.
   */
  call(tool: string, args: JsonObject, signal?: AbortSignal): Promise<McpResult>
  close(): Promise<void>
}

/** Log of a service; a missing tool is an error of the operator's settings. */
export interface McpServiceLog extends McpLog {
  error(message: string, facts?: JsonObject): void
}

/** Options of `connectService`. */
export interface McpServiceOptions extends Pick<McpConnectionOptions, 'name' | 'limits' | 'now'> {
  readonly log: McpServiceLog
  /** Its address for streamable HTTP, or `stdio:` and a command. */
  readonly url: string
  /** The oracle's bearer token there; a person's is never sent. */
  readonly token: string | undefined
  /** The tools that it must have. Without one of them, the service is degraded and no call is made. @default none */
  readonly tools?: ServiceTools
  /** Where the connection is begun: `host.background`, so that boot waits for nothing and an inspection connects nothing. */
  readonly background: (name: string, start: () => Promise<void>) => void
}

/** Maximum wait of the boot log for the connection, in milliseconds. */
const reportWithinMs = 2_000

/** Connects to a service once the oracle is up, and stays connected. */
export const connectService = ({ url, token, tools, background, ...options }: McpServiceOptions): McpService => {
  let connection: McpConnection | undefined
  let logged: string | undefined
  const violation = (): string | undefined =>
    tools && connection?.state === 'ready' ? toolViolation(options.name, connection.tools, tools) : undefined
  /** Logs a missing tool once, and again where another one is missing. */
  const check = () => {
    const found = violation()
    if (found !== undefined && found !== logged) {
      options.log.error('An MCP server lacks a tool that is needed', { server: options.name, fault: found })
    }
    if (connection?.state === 'ready') logged = found
  }
  background('connection', async () => {
    connection = connectMcp({ ...options, address: serviceAddress(url, token) })
    connection.onChange(check)
    await connection.ready(AbortSignal.timeout(reportWithinMs)).catch(() => {})
  })
  return {
    state: () => (violation() === undefined ? (connection?.state ?? 'pending') : 'degraded'),
    reason: () => violation() ?? connection?.reason,
    fault: violation,
    tools: () => connection?.tools ?? [],
    async call(tool, args, signal) {
      if (!connection) throw new McpUnavailable(`The MCP server ${options.name} is not connected yet.`)
      const missing = violation()
      if (missing !== undefined) throw new McpToolMissing(missing)
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
export const jsonOfResult = ({ structured, content }: McpResult): unknown =>
  structured ?? parseJson(textOfResult({ content }))

/** All texts of a result, one after the other. */
export const textOfResult = ({ content }: Pick<McpResult, 'content'>): string =>
  content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
