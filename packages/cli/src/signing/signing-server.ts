import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type PageRequests, pageRequests } from './page-requests.ts'
import { checkRequest, isProof, proofOf, RequestError, readBody } from './request-guard.ts'
import type { SigningAssets } from './signing-assets.ts'
import { nothingHerePage, pageHeaders, signingPage } from './signing-page.ts'
import { proofHeader } from './signing-protocol.ts'
import type { SigningSession } from './signing-session.ts'

/** Maximum concurrent connections; each is closed after its response. */
const maxConnections = 64
const maxConnectionsOfOneAddress = 16

const htmlType = 'text/html; charset=utf-8'

interface SigningServerParts {
  readonly session: SigningSession
  readonly secret: string
  readonly assets: () => Promise<SigningAssets>
  readonly secondsLeft: () => number
}

/** A listening port, before there is a request. */
export interface OpenedPort {
  readonly port: number
  serve(parts: SigningServerParts): void
  /** Stops; a phone with the request first gets its final state, for at most a second. */
  close(): Promise<void>
}

/**
 * Listens at an address of this computer.
 *
 * @param port 0 for a free one
 * @throws the error of the operating system: `EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`
 */
export const openPort = async (host: string, port: number): Promise<OpenedPort> => {
  const server = createServer({
    maxHeaderSize: 8_192,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
  })
  limitConnections(server)
  server.listen(port, host)
  await once(server, 'listening')
  let reportedBy = async () => {}
  return {
    port: (server.address() as AddressInfo).port,
    serve(parts) {
      const requests = pageRequests(parts.session, parts.secondsLeft)
      server.on('request', (request, response) => void answer(request, response, parts, requests))
      reportedBy = async () => (parts.session.isOpened ? requests.told : undefined)
    },
    async close() {
      const patience = new AbortController()
      const enough = wait(1_000, undefined, { signal: patience.signal }).catch(() => {})
      await Promise.race([enough, reportedBy()])
      const closed = once(server, 'close')
      server.close()
      await Promise.race([enough, closed])
      patience.abort()
      server.closeAllConnections()
      await closed
    },
  }
}

const limitConnections = (server: Server): void => {
  server.maxConnections = maxConnections
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => open.set(address, (open.get(address) ?? 1) - 1))
    if (count > maxConnectionsOfOneAddress) socket.destroy()
  })
}

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  parts: SigningServerParts,
  requests: PageRequests,
): Promise<void> => {
  try {
    checkRequest(request, parts.session.facts.origin)
    if (request.method === 'POST') await answerPage(request, response, parts, requests)
    else await sendFile(request, response, parts)
  } catch (error) {
    const violation =
      error instanceof RequestError ? error : new RequestError(400, 'request_incomplete', 'Send it again.')
    if (!response.headersSent) sendError(response, violation)
  }
}

const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  { session, assets }: SigningServerParts,
): Promise<void> => {
  const { id } = session.facts
  const { url = '', headers } = request
  const asset = (await assets()).get(url.slice(1))
  if (asset && /\bgzip\b/i.test(String(headers['accept-encoding'] ?? ''))) {
    send(response, 200, { 'content-type': asset.type, 'content-encoding': 'gzip' }, asset.zipped())
  } else if (asset) {
    send(response, 200, { 'content-type': asset.type }, asset.plain())
  } else {
    const isPage = url === `/${id}`
    send(response, isPage ? 200 : 404, { 'content-type': htmlType }, isPage ? signingPage : nothingHerePage)
  }
}

/** Answers the requests of the page that have a valid proof; the response has one too. */
const answerPage = async (
  request: IncomingMessage,
  response: ServerResponse,
  { session, secret }: SigningServerParts,
  requests: PageRequests,
): Promise<void> => {
  const { id, origin } = session.facts
  const path = request.url ?? ''
  if (!path.startsWith(`/${id}/`)) throw new RequestError(404, 'signing_over', 'This request has expired.')
  const body = await readBody(request)
  const proof = (direction: 'request' | 'answer', text: string) => proofOf(secret, { direction, origin, path }, text)
  if (!isProof(request.headers[proofHeader], proof('request', body))) {
    throw new RequestError(403, 'proof_invalid', 'The complete link is required, including the part after its #.')
  }
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const { status, value } = await requests.answer(path.slice(id.length + 2), body, gone.signal)
  const text = JSON.stringify(value)
  send(response, status, { 'content-type': 'application/json', [proofHeader]: proof('answer', text) }, text)
}

const sendError = (response: ServerResponse, violation: RequestError): void => {
  const { status, code, message, headers } = violation
  const text = JSON.stringify({ code, message })
  send(response, status, { 'content-type': 'application/json', ...headers }, text)
}

const send = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void => {
  response.writeHead(status, { ...pageHeaders, ...headers, 'content-length': String(Buffer.byteLength(body)) })
  response.end(body)
}
