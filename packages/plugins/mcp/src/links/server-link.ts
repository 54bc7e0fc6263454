import { connectMcp, type McpConnection, type McpLog, type McpTool } from '@sibyl/mcp-client'
import { cleanText, type Logger, ToolFailure, visibleText, withTimeout } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import type { ToolSource } from '../fingerprints/tool-rows.ts'
import { mapTexts } from '../questions/word-question.ts'
import type { ServerEntry } from '../servers-file/server-entry.ts'
import { type LeftOutTool, selectTools } from './select-tools.ts'
import type { ServerContext } from './server-context.ts'

/** Default time limit of a call, in seconds. */
export const longestCallSeconds = 300

/** Time that a turn waits for a server that is connecting, in milliseconds. */
const patienceMs = 2_500

/** Usable tools of a server as of the last check. */
export interface LinkView {
  readonly tools: readonly McpTool[]
  readonly leftOut: readonly LeftOutTool[]
  /** Names of tools whose definitions changed. */
  readonly changed: readonly string[]
  /** Names of tools that appeared after the first connection and were not confirmed. */
  readonly added: readonly string[]
}

/** A connection to a server, for the oracle or for one caller. */
export interface ServerLink {
  readonly connection: McpConnection
  /** State as of the last check. */
  readonly view: LinkView
  /** Redacts the secrets that were sent to the server. */
  redact(text: string): string
  /** Compares the server's tools with the accepted ones. Throws `ToolFailure` while no tools are known. */
  check(): Promise<LinkView>
  /** Returns the fingerprint of a tool's current definition. */
  fingerprintNow(tool: string): string | undefined
  /** Reason why it is not ready, as a sentence. */
  readonly reason: string | undefined
  close(): Promise<void>
}

/** Watches a connection, and checks the tools whenever they are listed again. */
const createServerLink = (
  source: ToolSource,
  connection: McpConnection,
  picked: readonly string[] | undefined,
  { toolStore, log }: Pick<ServerContext, 'toolStore' | 'log'>,
  redact: (text: string) => string,
): ServerLink => {
  const { server } = source
  const cleaned = new WeakMap<McpTool, McpTool>()
  const clean = (tool: McpTool): McpTool => {
    const known = cleaned.get(tool) ?? cleanTool(tool, redact)
    cleaned.set(tool, known)
    return known
  }
  let view: LinkView = { tools: [], leftOut: [], changed: [], added: [] }
  const logged = new Map<string, string>()
  let judged: readonly McpTool[] | undefined

  /** Logs tools that wait, once until they change. */
  const warn = (why: 'changed' | 'added', message: string, tools: readonly McpTool[]) => {
    const waiting = names(tools).join()
    if (waiting !== '' && waiting !== logged.get(why)) log.warn(message, { server, tools: names(tools) })
    logged.set(why, waiting)
  }

  const check = async (): Promise<LinkView> => {
    await patiently(connection)
    const listed = connection.tools
    if (listed.length === 0 && connection.state !== 'ready') throw away(server, connection, redact)
    const { selected, leftOut } = selectTools(listed.map(clean), picked)
    const { accepted, changed, added, tooMany } = await toolStore.judge(source, selected)
    view = {
      tools: accepted,
      leftOut: [...connection.leftOut, ...leftOut, ...tooMany.map(({ name }) => ({ name, fault: inventsTools }))],
      changed: changed.map(({ name }) => name),
      added: added.map(({ name }) => name),
    }
    warn('changed', 'an MCP server changed tools; they are rejected until the operator confirms them', changed)
    warn('added', 'an MCP server has new tools; they are rejected until the operator confirms them', added)
    return view
  }

  const unwatch = connection.onChange(() => {
    if (connection.state !== 'ready' || connection.tools === judged) return
    judged = connection.tools
    check().catch(error => log.warn('the tools of an MCP server could not be compared', { server, error }))
  })

  return {
    connection,
    get view() {
      return view
    },
    redact,
    check,
    fingerprintNow(name) {
      const tool = connection.tools.find(one => one.name === name)
      return tool && toolStore.fingerprint(clean(tool))
    },
    get reason() {
      return connection.reason === undefined ? undefined : redact(connection.reason)
    },
    async close() {
      unwatch()
      await connection.close()
    },
  }
}

const inventsTools =
  'The server has shown too many other tools before. To offer this one, rename the server in the file.'

/** Returns the names of tools for the log, at most 20. */
const names = (tools: readonly McpTool[]): string[] => tools.slice(0, 20).map(({ name }) => name)

/** Returns a definition without secrets and invisible characters. */
const cleanTool = (tool: McpTool, redact: (text: string) => string): McpTool => {
  const shown = (text: string) => redact(visibleText(text))
  return {
    ...tool,
    ...(tool.title === undefined ? {} : { title: cleanText(redact(tool.title), { maxLength: 200 }) }),
    description: shown(tool.description),
    inputSchema: mapTexts(tool.inputSchema, shown) as JsonObject,
    ...(tool.outputSchema ? { outputSchema: mapTexts(tool.outputSchema, shown) as JsonObject } : {}),
  }
}

/** Waits briefly for a connection whose state is unknown. */
const patiently = async (connection: McpConnection): Promise<void> => {
  if (connection.state !== 'pending') return
  await withTimeout(signal => connection.ready(signal), { timeoutMs: patienceMs }).catch(() => {})
}

const away = (server: string, { state, reason }: McpConnection, redact: (text: string) => string): ToolFailure =>
  new ToolFailure(
    state === 'pending'
      ? `The MCP server ${server} has not responded yet. Continue without it, or try again in a few seconds.`
      : `${redact(reason ?? `The MCP server ${server} is unreachable.`)} The oracle keeps trying to connect. Continue without it, or try again later.`,
  )

/** Caller of a connection, and its options besides those of the file. */
export interface ConnectServerOptions {
  /** DID of the caller; empty for the oracle's own connection. */
  readonly caller: string
  /** Returns the headers of each request. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>
  redact(text: string): string
}

/** Starts to connect to a server, without waiting. */
export const connectServer = (
  { name, address, timeoutSeconds, tools }: ServerEntry,
  context: ServerContext,
  { caller, headers, redact }: ConnectServerOptions,
): ServerLink => {
  const { log, now, backOffMs } = context
  const connection = connectMcp({
    name,
    address,
    limits: {
      callTimeoutMs: timeoutSeconds * 1_000,
      longestCallMs: Math.max(longestCallSeconds, timeoutSeconds) * 1_000,
    },
    log: redactedLog(log, redact),
    now,
    ...(headers ? { headers } : {}),
    ...(backOffMs ? { backOffMs } : {}),
  })
  return createServerLink({ server: name, caller }, connection, tools, context, redact)
}

/** Returns a log that redacts the secrets that were sent to the server. */
const redactedLog = (log: Logger, redact: (text: string) => string): McpLog => {
  const clean = (facts: Parameters<McpLog['debug']>[1] = {}) =>
    Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
    )
  return {
    debug: (message, facts) => log.debug(message, clean(facts)),
    info: (message, facts) => log.info(message, clean(facts)),
    warn: (message, facts) => log.warn(message, clean(facts)),
  }
}
