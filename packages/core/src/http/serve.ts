import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { ListenFailedError, PortInUseError } from '../errors/listen-errors.ts'
import { checkHostOf, type HostCheck } from './check-host.ts'
import { type ConnectionShare, countConnections } from './connection-shares.ts'
import { encodeRefusal, parserRefusal, refusalResponse, refusedMessage } from './wire-refusals.ts'

/** A listening server. */
export interface Listening {
  /** The port it really has, also when 0 was asked for. */
  readonly port: number
  readonly host: string
  /**
   * Refuses new connections at once, closes idle ones, and the others after the answer they wait for. Resolves when there
   * are none.
   */
  stop(): Promise<void>
  /** Closes what is left of the connections. */
  cut(): void
}

/** What a server takes of its clients. Times are milliseconds. */
export interface ServerLimits {
  readonly maxConnections: number
  /** How many of them one address may have. @default all */
  readonly perAddress?: ConnectionShare
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a whole request. */
  readonly requestMs: number
  /** For an answer that its reader takes nothing of. */
  readonly stallMs: number
  /** Between two requests of a connection. */
  readonly idleMs: number
}

/** The limits of a server that no setting changes. */
export const serverLimits = { headersMs: 20_000, stallMs: 120_000, idleMs: 65_000 } as const

/** The largest headers of a request, its first line included, in bytes. */
export const maxHeaderBytes = 16_384

/** How many requests a connection may carry. */
const maxRequestsPerConnection = 1_000

/** How often connections are looked at for requests that take too long, in milliseconds. */
const lookIntervalMs = 1_000

/** How often a stopping server lets go of connections whose last request has ended, in milliseconds. */
const idleLookMs = 20

/** How long a new connection may take to ask its first question once the server stops, in milliseconds. */
const firstRequestMs = 500

/** How long a refused client may take to read why, in milliseconds. */
const farewellMs = 1_000

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

/**
 * Serves an app on Node's HTTP server.
 *
 * @param publicUrl Where the world reaches the server; a server on a loopback address serves this host besides its own.
 * @throws PortInUseError `port_in_use`, ListenFailedError `listen_failed`
 */
export const serve = async (
  fetch: Fetch,
  host: string,
  port: number,
  limits: ServerLimits,
  publicUrl?: string,
): Promise<Listening> => {
  const answering = new Map<Socket, ServerResponse>()
  /** Connections on which nothing was asked yet; Node does not count them as idle. */
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
    return refused ? refusalResponse(refused) : fetch(request, bindings)
  }
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(limits.headersMs, limits.requestMs),
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(lookIntervalMs, limits.headersMs),
      keepAliveTimeout: limits.idleMs,
      // A request without one is refused with a problem, by `refusedMessage`.
      requireHostHeader: false,
    },
    getRequestListener(answer as never, {
      errorHandler: error => refusalResponse(error instanceof RequestError ? 'malformed' : 'failed'),
    }),
  )
  server.maxConnections = limits.maxConnections
  server.maxRequestsPerSocket = maxRequestsPerConnection
  // All headers are kept, so that none is dropped without a word; `refusedMessage` counts them.
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
  await listen(server, host, port)
  const bound = server.address() as AddressInfo
  checkHost = checkHostOf(bound.address, publicUrl)
  return {
    port: bound.port,
    host,
    stop() {
      stopping = true
      for (const outgoing of answering.values()) if (!outgoing.headersSent) closeAfter(outgoing)
      const closeIdle = setInterval(() => server.closeIdleConnections(), idleLookMs)
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
    cut: () => server.closeAllConnections(),
  }
}

const closeAfter = (outgoing: ServerResponse): void => {
  outgoing.setHeader('connection', 'close')
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new PortInUseError(port) : new ListenFailedError(host, port, error.code ?? ''),
      )
    })
    server.listen(port, host, resolve)
  })
