import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { coreErrors } from '../errors/core-errors.ts'
import { checkHostOf, type HostCheck } from './check-host.ts'
import { type ConnectionShare, countConnections } from './connection-shares.ts'
import { encodeRefusal, parserRefusal, refusalResponse, refusedMessage } from './wire-refusals.ts'

/** Limits of a server. Times are milliseconds. */
export interface ServerLimits {
  readonly maxConnections: number
  /** Connections that wait to be accepted. */
  readonly backlog: number
  /** Maximum connections of one address. @default all */
  readonly perAddress?: ConnectionShare
  /** Timeout of request headers. */
  readonly headersMs: number
  /** Timeout of a complete request. */
  readonly requestMs: number
  /** Timeout of a response whose client reads nothing. */
  readonly stallMs: number
  /** Timeout between two requests of a connection. */
  readonly idleMs: number
}

/** The fixed limits of a server. */
export const serverLimits = { headersMs: 20_000, stallMs: 120_000, idleMs: 65_000 } as const

/** Maximum size of the headers of a request with its first line, in bytes. */
export const maxHeaderBytes = 16_384

/** Maximum requests of a connection. */
const maxRequestsPerConnection = 1_000

/** Interval of the check for slow requests, in milliseconds. */
const pollIntervalMs = 1_000

/** Interval at which a stopping server closes idle connections, in milliseconds. */
const idlePollMs = 20

/** Time limit for the first request of a new connection after the stop, in milliseconds. */
const firstRequestMs = 500

/** Time limit for a rejected client to read the response, in milliseconds. */
const farewellMs = 1_000

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

/**
 * Serves an app on Node's HTTP server.
 *
 * @param publicUrl The public URL of the server; a server on a loopback address serves this host besides its own.
 * @throws `port_in_use`, `listen_failed`
 */
export const serve = async (fetch: Fetch, host: string, port: number, limits: ServerLimits, publicUrl?: string) => {
  const answering = new Map<Socket, ServerResponse>()
  /** Connections without a request yet; Node does not count them as idle. */
  const fresh = new Set<Socket>()
  let stopping = false
  let checkHost: HostCheck = () => 'misdirected'
  const answer = (request: Request, bindings: { incoming: IncomingMessage; outgoing: ServerResponse }) => {
    const { incoming, outgoing } = bindings
    const { socket } = incoming
    fresh.delete(socket)
    answering.set(socket, outgoing)
    outgoing.once('close', () => {
      if (answering.get(socket) === outgoing) answering.delete(socket)
    })
    if (stopping) closeAfter(outgoing)
    const refused = refusedMessage(incoming) ?? checkHost(incoming.headers.host)
    if (refused) return refusalResponse(refused)
    const answered = fetch(request, bindings)
    return hasLongBody(incoming) ? closedIfUnread(answered, bindings) : answered
  }
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(limits.headersMs, limits.requestMs),
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(pollIntervalMs, limits.headersMs),
      keepAliveTimeout: limits.idleMs,
      // `refusedMessage` rejects a request without one with a problem.
      requireHostHeader: false,
    },
    getRequestListener(answer as never, {
      errorHandler: error => refusalResponse(error instanceof RequestError ? 'malformed' : 'failed'),
    }),
  )
  server.maxConnections = limits.maxConnections
  server.maxRequestsPerSocket = maxRequestsPerConnection
  // Keeps all headers, so that none is dropped silently; `refusedMessage` counts them.
  server.maxHeadersCount = 0
  server.timeout = limits.stallMs
  const mayStay = countConnections(limits.perAddress)
  server.on('connection', (socket: Socket) => {
    if (!mayStay(socket)) return void socket.destroy()
    fresh.add(socket)
    socket.once('close', () => fresh.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const outgoing = answering.get(socket)
    if (outgoing?.req.complete && !outgoing.headersSent) return closeAfter(outgoing)
    if (!socket.writable || outgoing?.headersSent || error.code === 'ECONNRESET') return void socket.destroy()
    socket.end(encodeRefusal(parserRefusal(error.code)))
    setTimeout(() => socket.destroy(), farewellMs).unref()
  })
  await listen(server, { host, port, backlog: limits.backlog })
  const bound = server.address() as AddressInfo
  checkHost = checkHostOf(bound.address, publicUrl)
  return {
    /** The actual port, also with port 0. */
    port: bound.port,
    host,
    /**
     * Rejects new connections at once, closes idle ones, and the others after their pending response. Resolves when all
     * are closed.
     */
    stop(): Promise<void> {
      stopping = true
      for (const outgoing of answering.values()) if (!outgoing.headersSent) closeAfter(outgoing)
      const closeIdle = setInterval(() => server.closeIdleConnections(), idlePollMs)
      const closeFresh = setTimeout(() => {
        for (const socket of fresh) socket.destroy()
      }, firstRequestMs)
      return new Promise(resolve => {
        server.close(() => {
          clearInterval(closeIdle)
          clearTimeout(closeFresh)
          resolve()
        })
      })
    },
    /** Closes the remaining connections. */
    cut: (): void => server.closeAllConnections(),
  }
}

/** A listening server. */
export type Listening = Awaited<ReturnType<typeof serve>>

const closeAfter = (outgoing: ServerResponse): void => {
  outgoing.setHeader('connection', 'close')
}

const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > maxHeaderBytes || headers['transfer-encoding'] !== undefined

/** Closes the connection after an error whose body still arrives: its rest is not the next request. */
const closedIfUnread = async (
  answered: Response | Promise<Response>,
  { incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
): Promise<Response> => {
  const response = await answered
  if (response.status < 400 || incoming.complete) return response
  closeAfter(outgoing)
  const { socket } = incoming
  // Node closes both sides at once, and the reset could reach a client that still sends before the response does.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), farewellMs).unref()
  }
  return response
}

const listen = (
  server: Server,
  address: { readonly host: string; readonly port: number; readonly backlog: number },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { host, port } = address
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      reject(
        code === 'EADDRINUSE'
          ? coreErrors.port_in_use({ port })
          : coreErrors.listen_failed({ host, port, reason: code }, { facts: { host, port } }),
      )
    })
    server.listen(address, resolve)
  })
