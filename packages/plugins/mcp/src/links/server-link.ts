import { connectMcp, type McpConnection, type McpLog, type McpTool } from '@sibyl/mcp-client'
import { cleanText, type Logger, ToolFailure, visibleText, withTimeout } from '@sibyl/plugin'
import type { JsonObject } from '@sibyl/protocol'
import type { ToolSource } from '../fingerprints/tool-rows.ts'
import { mapTexts } from '../questions/word-question.ts'
import type { ServerEntry } from '../servers-file/server-entry.ts'
import { type LeftOutTool, selectTools } from './select-tools.ts'
import type { ServerContext } from './server-context.ts'

/** The longest that a call may take in all, in seconds, where the operator does not give it longer. */
export const longestCallSeconds = 300

/** How long a turn waits for a server that is just being reached, in milliseconds. */
const patienceMs = 2_500

/** What of a server may be used, as of the last look at it. */
export interface LinkView {
  readonly tools: readonly McpTool[]
  readonly leftOut: readonly LeftOutTool[]
  /** The names of tools whose definition changed. */
  readonly changed: readonly string[]
  /** The names of tools that appeared after the first contact and were not confirmed. */
  readonly added: readonly string[]
}

/** A connection to a server, for the oracle or for one person. */
export interface ServerLink {
  readonly connection: McpConnection
  /** As of the last look. */
  readonly view: LinkView
  /** Strikes out what the server was told as a secret. */
  redact(text: string): string
  /** Compares the server's tools with what was accepted. Throws `ToolFailure` while none are known. */
  look(): Promise<LinkView>
  /** The fingerprint of a tool as the server describes it now. */
  fingerprintNow(tool: string): string | undefined
  /** Why it is not ready, in a sentence. */
  readonly reason: string | undefined
  close(): Promise<void>
}

/** Watches a connection, and judges the tools whenever they are listed anew. */
const createServerLink = (
  source: ToolSource,
  connection: McpConnection,
  picked: readonly string[] | undefined,
  { book, log }: Pick<ServerContext, 'book' | 'log'>,
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

  /** Logs tools that wait, once for as long as they are the same. */
  const warn = (why: 'changed' | 'added', message: string, tools: readonly McpTool[]) => {
    const waiting = names(tools).join()
    if (waiting !== '' && waiting !== logged.get(why)) log.warn(message, { server, tools: names(tools) })
    logged.set(why, waiting)
  }

  const look = async (): Promise<LinkView> => {
    await patiently(connection)
    const listed = connection.tools
    if (listed.length === 0 && connection.state !== 'ready') throw away(server, connection, redact)
    const { selected, leftOut } = selectTools(listed.map(clean), picked)
    const { accepted, changed, added, tooMany } = await book.judge(source, selected)
    view = {
      tools: accepted,
      leftOut: [...connection.leftOut, ...leftOut, ...tooMany.map(({ name }) => ({ name, fault: inventsTools }))],
      changed: changed.map(({ name }) => name),
      added: added.map(({ name }) => name),
    }
    warn('changed', 'an MCP server changed tools; they are refused until the operator confirms them', changed)
    warn('added', 'an MCP server has new tools; they are refused until the operator confirms them', added)
    return view
  }

  const unwatch = connection.onChange(() => {
    if (connection.state !== 'ready' || connection.tools === judged) return
    judged = connection.tools
    look().catch(error => log.warn('the tools of an MCP server could not be compared', { server, error }))
  })

  return {
    connection,
    get view() {
      return view
    },
    redact,
    look,
    fingerprintNow(name) {
      const tool = connection.tools.find(one => one.name === name)
      return tool && book.fingerprint(clean(tool))
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
  'The server has shown too many other tools before. Give it another name in the file where they are to be offered.'

/** The names of tools, at most 20, for the log. */
const names = (tools: readonly McpTool[]): string[] => tools.slice(0, 20).map(({ name }) => name)

/** The definition without secrets and without characters that nobody sees. */
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

/** Waits a moment for a connection that is neither there nor known to be away. */
const patiently = async (connection: McpConnection): Promise<void> => {
  if (connection.state !== 'pending') return
  await withTimeout(signal => connection.ready(signal), { timeoutMs: patienceMs }).catch(() => {})
}

const away = (server: string, { state, reason }: McpConnection, redact: (text: string) => string): ToolFailure =>
  new ToolFailure(
    state === 'pending'
      ? `The MCP server ${server} has not answered yet. Go on without it, or try again in a moment.`
      : `${redact(reason ?? `The MCP server ${server} cannot be reached.`)} It is tried again; go on without it, or try later.`,
  )

/** Whose connection it is, and what it needs beside what the file says. */
export interface ConnectServerOptions {
  /** The person's DID; empty for the oracle's own. */
  readonly caller: string
  /** Headers made anew for each request. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>
  redact(text: string): string
}

/** Connects to a server; nothing waits for it. */
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

/** The log without what the server was told as a secret. */
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
