import {
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { HttpServer, McpServerAddress } from '../connection/mcp-server-address.ts'
import { type McpError, McpUnavailable } from '../errors/mcp-errors.ts'
import { createHttpFetch } from './http-fetch.ts'
import type { Link } from './link.ts'
import { type LinkOptions, linkOver } from './link-over.ts'
import { createOutputWindow, createProgramOutput } from './program-output.ts'
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts'

/**
 * Connects to a server in the newest revision of the protocol that both speak. Over HTTP, a server that knows nothing of
 * streamable HTTP is asked by SSE; a program that ends at the question for its revision is started again as an old one.
 */
export const openLink = async (options: LinkOptions): Promise<Link> => {
  const { address, known } = options
  if (address.kind === 'stdio') {
    try {
      return await connectProgram(options, address, known.isOld ?? false)
    } catch (error) {
      const wasOld = known.isOld
      known.isOld = false
      if (wasOld || !(error instanceof EndedAtOnce)) throw error
      const link = await connectProgram(options, address, true)
      known.isOld = true
      return link
    }
  }

  const way = address.way === 'auto' || address.way === undefined ? known.way : address.way
  if (way === 'sse') {
    known.way = undefined
    const link = await connectHttp(options, address, 'sse')
    known.way = 'sse'
    return link
  }
  try {
    return await connectHttp(options, address, 'streamable')
  } catch (error) {
    if (address.way === 'streamable' || !meansOldServer(error)) throw error
    const link = await connectHttp(options, address, 'sse').catch(() => {
      throw error
    })
    known.way = 'sse'
    return link
  }
}

/** The program ended while it was asked for its revision. */
class EndedAtOnce extends McpUnavailable {}

/** Returns whether a 4xx status is unrelated to authorization: servers without streamable HTTP respond like that. */
const meansOldServer = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return (
    cause instanceof SdkHttpError &&
    cause.status >= 400 &&
    cause.status < 500 &&
    ![401, 403, 429].includes(cause.status)
  )
}

const connectHttp = async (options: LinkOptions, address: HttpServer, way: 'streamable' | 'sse'): Promise<Link> => {
  const { headers, authProvider, authorized, limits, name } = options
  let end: (reason: McpError) => void = () => {}
  const fetch = createHttpFetch({
    server: address,
    headers,
    maxMessageBytes: limits.maxMessageBytes,
    onTooLarge: () => end(new McpUnavailable(`The MCP server ${name} sent a message that is too large.`)),
  })
  const Way = way === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport
  const begin = () => {
    const transport = new Way(new URL(address.url), { fetch, ...(authProvider && { authProvider }) })
    /** Continues after the authorization page has redirected the user back; false if that is not possible. */
    const authorize = async () => {
      if (!authorized) return false
      await transport.finishAuth(await authorized())
      return true
    }
    const link = linkOver({ ...options, transport, isOld: way === 'sse', onEnd: fail => (end = fail), authorize })
    return { link, authorize }
  }

  const first = begin()
  try {
    return await first.link
  } catch (error) {
    if (!(error instanceof McpUnavailable && error.cause instanceof UnauthorizedError)) throw error
    if (!(await first.authorize().catch(() => false))) throw error
  }
  return begin().link
}

const connectProgram = async (
  options: LinkOptions,
  address: Extract<McpServerAddress, { kind: 'stdio' }>,
  isOld: boolean,
): Promise<Link> => {
  const { name, limits, log, known, now } = options
  known.output ??= createOutputWindow()
  const isAway = () => known.isAway ?? false
  const output = createProgramOutput({ server: name, log, window: known.output, now, isAway })
  const transport = createStdioTransport(address, limits, output)
  try {
    return await linkOver({ ...options, transport, isOld, describeEnd: () => describeEnd(name, transport) })
  } catch (error) {
    const end = describeEnd(name, transport)
    if (end) throw new EndedAtOnce(end.message, { cause: error })
    throw error
  }
}

const describeEnd = (name: string, { ended }: StdioTransport): McpError | undefined => {
  if (!ended || ended.wasClosed) return undefined
  if (ended.sentTooMuch) return new McpUnavailable(`The MCP server ${name} sent a message that is too large.`)
  const how = ended.signal ? `ended by ${ended.signal}` : `exit code ${ended.code}`
  return new McpUnavailable(`The program of the MCP server ${name} exited (${how}).`)
}
