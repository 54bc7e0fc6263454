import {
  Client,
  type OAuthClientProvider,
  ProtocolError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { McpLog } from '../connection/mcp-connection.ts'
import type { McpLimits } from '../connection/mcp-limits.ts'
import type { McpServerAddress } from '../connection/mcp-server-address.ts'
import { type McpError, McpTimeout, McpUnavailable } from '../errors/mcp-errors.ts'
import { cleanLine, cleanText } from '../reading/clean-text.ts'
import { pause } from './back-off.ts'
import { createRequests } from './create-requests.ts'
import { describeFailure } from './describe-failure.ts'
import type { AskedQuestion, Link, QuestionReply } from './link.ts'
import type { OutputWindow } from './program-output.ts'
import { streamEnded, watchTransport } from './watched-transport.ts'

/** Options of a connection. */
export interface LinkOptions {
  readonly name: string
  readonly address: McpServerAddress
  readonly limits: McpLimits
  readonly headers: (() => Promise<Readonly<Record<string, string>>>) | undefined
  readonly authProvider: OAuthClientProvider | undefined
  readonly authorized: (() => Promise<URLSearchParams>) | undefined
  readonly log: McpLog
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Facts about the server from earlier connections, updated by this one. */
  readonly known: ServerKnowledge
  readonly signal: AbortSignal
  /** Asks a person in the name of the server, within a call. */
  readonly onQuestion: (question: AskedQuestion) => Promise<QuestionReply>
  readonly onToolsChanged: () => void
}

/** Facts about a server that are kept between its connections. */
export interface ServerKnowledge {
  /** It speaks no revision from 2026 on, and should not be asked for one. */
  isOld?: boolean
  way?: 'sse' | undefined
  /** The log shows that it is away. */
  isAway?: boolean
  output?: OutputWindow
}

/** The name and version that are sent to servers. */
const clientInfo = { name: 'sibyl', title: 'Sibyl', version: '0.1.0' }

/** Options of a connection over one transport. */
export interface TransportLinkOptions extends LinkOptions {
  readonly transport: Transport
  readonly isOld: boolean
  readonly describeEnd?: () => McpError | undefined
  readonly authorize?: () => Promise<boolean>
  /** Takes what ends the connection. */
  readonly onEnd?: (end: (reason: McpError) => void) => void
}

/** Connects over a transport, and keeps an eye on it until it is lost. */
export const linkOver = async (options: TransportLinkOptions): Promise<Link> => {
  const { name, limits, log, transport, isOld, signal, onQuestion, onToolsChanged, describeEnd } = options
  let over: McpError | undefined
  let resolveLost: (reason: McpError) => void = () => {}
  const lost = new Promise<McpError>(resolve => {
    resolveLost = resolve
  })
  const lose = (reason: McpError) => {
    over ??= reason
    resolveLost(over)
  }

  const client = new Client(clientInfo, {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: isOld
      ? { mode: 'legacy' }
      : { mode: 'auto', probe: { timeoutMs: Math.ceil(limits.connectTimeoutMs / 2) } },
  })
  const end = async (reason?: McpError) => {
    lose(reason ?? new McpUnavailable(`The connection to the MCP server ${name} was closed.`))
    if (transport instanceof StreamableHTTPClientTransport) await leaveSession(transport)
    await client.close().catch(() => {})
    await transport.close().catch(() => {})
  }
  options.onEnd?.(reason => void end(reason))

  client.setRequestHandler('elicitation/create', async (request, { mcpReq }) => {
    const { action, content } = await onQuestion({ params: request.params, signal: mcpReq.signal })
    return { action, ...(content && { content: content as Record<string, string | number | boolean | string[]> }) }
  })
  client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged)
  client.onclose = () =>
    lose(describeEnd?.() ?? new McpUnavailable(`The connection to the MCP server ${name} was lost.`))

  const isStream = transport instanceof SSEClientTransport
  const watched = watchTransport(transport, {
    onTrouble: error => {
      log.debug('An MCP server sent an invalid message, or its stream was interrupted', {
        server: name,
        kind: error.name,
      })
      const isOver = isStream
        ? isConnected && error.name !== 'ZodError'
        : error.message.startsWith('Maximum reconnection')
      if (isOver) void end(new McpUnavailable(`The connection to the MCP server ${name} was lost.`))
    },
  })
  let isConnected = false
  try {
    const deadline = AbortSignal.timeout(limits.connectTimeoutMs)
    await within(
      client.connect(watched, { timeout: limits.connectTimeoutMs, signal }),
      AbortSignal.any([signal, deadline]),
    )
  } catch (error) {
    await end()
    if (signal.aborted) throw new McpUnavailable(`The connection to the MCP server ${name} was closed.`)
    if (error === timedOut) {
      throw new McpTimeout(`The MCP server ${name} did not respond within ${limits.connectTimeoutMs / 1000} seconds.`)
    }
    throw describeFailure(name, error)
  }
  isConnected = true

  const { name: title = name, version = '' } = client.getServerVersion() ?? {}
  const instructions = client.getInstructions()
  const { resources, prompts, tools } = client.getServerCapabilities() ?? {}
  if (client.getProtocolEra() === 'modern' && tools?.listChanged) {
    await listen(client, limits, () => end(new McpUnavailable(`The connection to the MCP server ${name} was lost.`)))
  }

  /** After a failure: whether the server still answers at all; if not, the connection is given up. */
  let isChecking = false
  const check = async () => {
    if (isChecking || over) return
    isChecking = true
    const method = client.getProtocolEra() === 'modern' ? 'tools/list' : 'ping'
    try {
      await client.request({ method, params: {} }, z.unknown(), { timeout: limits.connectTimeoutMs })
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.code === streamEnded) await end(describeFailure(name, error))
    } finally {
      isChecking = false
    }
  }

  return {
    server: {
      name: cleanLine(title, 100),
      version: cleanLine(version, 50),
      ...(instructions && { instructions: cleanText(instructions, 4_000) }),
    },
    offers: { resources: resources !== undefined, prompts: prompts !== undefined },
    lost,
    end,
    ...createRequests({
      client,
      name,
      limits,
      hasTools: tools !== undefined,
      onDoubt: () => void check(),
      over: () => over,
      authorize: options.authorize,
    }),
  }
}

/**
 * Subscribes to changed tools of a server of the 2026 revision; when the subscription ends, the connection is opened
 * again.
 */
const listen = async (client: Client, { connectTimeoutMs }: McpLimits, onEnd: () => void) => {
  const timeout = Math.min(connectTimeoutMs / 2, 5_000)
  const subscription = await client.listen({ toolsListChanged: true }, { timeout }).catch(() => undefined)
  subscription?.closed.then(how => how !== 'local' && onEnd())
}

const leaveSession = async (transport: StreamableHTTPClientTransport) => {
  if (!transport.sessionId) return
  const left = transport.terminateSession().catch(() => {})
  await Promise.race([left, pause(1_000)])
}

const timedOut = new Error('The time limit was exceeded.')

const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(timedOut), { once: true })
    work.then(resolve, reject)
  })
