import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { HttpServer } from '../connection/mcp-server-address.ts'
import type { McpScript, ScriptedEvent } from './mcp-script.test.helper.ts'
import { createNewServer } from './new-server.test.helper.ts'
import { createOldServer } from './old-server.test.helper.ts'
import type { ScriptedHost } from './scripted-host.test.helper.ts'

/** A server of HTTP on a port of this computer that speaks MCP as a script says. */
export interface McpHttpServer {
  readonly address: HttpServer
  readonly url: string
  /** What reached it so far. */
  readonly events: readonly ScriptedEvent[]
  /** The method, path, headers and JSON body of each request. */
  readonly requests: readonly { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }[]
  /** Changes the script and says that the tools changed. */
  set(part: Partial<McpScript>): void
  /** Answers requests in place of MCP; true where it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse, body: string) => boolean) | undefined
  /** Forgets all sessions, as a server does that was started anew. */
  forget(): Promise<void>
  /** Ends it with all its connections, as if killed. */
  stop(): Promise<void>
  /** Begins it again on its port. */
  start(): Promise<void>
}

interface Session {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>
  toolsChanged(): void
  close(): Promise<void>
}

/** Starts a server; `sse` speaks the transport of before 2025 alone. */
export const startMcpServer = async (
  initial: McpScript,
  way: 'streamable' | 'sse' = 'streamable',
): Promise<McpHttpServer> => {
  let script = initial
  let listener: Server
  let port = 0
  const events: ScriptedEvent[] = []
  const requests: McpHttpServer['requests'][number][] = []
  const sessions = new Map<string, Session>()
  const dropAll = () => listener.closeAllConnections()

  const host: ScriptedHost = {
    script: () => script,
    change: part => {
      script = { ...script, ...part }
    },
    record: event => void events.push(event),
    exit: dropAll,
    garbage: () => {},
  }
  const createModern = () => createMcpHandler(() => createNewServer(host, () => modern.notify.toolsChanged()))
  let modern = createModern()

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readBody(request)
    const { method = '', url = '', headers } = request
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push({ method, path: url, headers, body })
    if (server.intercept?.(request, response, text)) return
    if (script.revision === 'new') return serveWeb(modern.fetch, request, response, text)
    const session = await sessionOf(request, response, body)
    if (session) await session.handle(request, response, body)
  }

  const sessionOf = async (request: IncomingMessage, response: ServerResponse, body: unknown) => {
    if (way === 'sse') {
      if (request.method === 'GET') return void (await beginSse(response))
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? ''
      return sessions.get(id) ?? refuse(response, 404)
    }
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') return sessions.get(id) ?? refuse(response, 404)
    const isInitialize = typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize'
    return isInitialize ? beginSession() : refuse(response, 400)
  }

  const beginSession = async (): Promise<Session> => {
    const served = createOldServer(host)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: id => void sessions.set(id, session),
    })
    const session: Session = {
      handle: (request, response, body) => transport.handleRequest(request, response, body),
      toolsChanged: () => void served.sendToolListChanged().catch(() => {}),
      close: () => served.close(),
    }
    await served.connect(transport as never)
    return session
  }

  const beginSse = async (response: ServerResponse) => {
    const served = createOldServer(host)
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, {
      handle: (request, answer, body) => transport.handlePostMessage(request, answer, body),
      toolsChanged: () => void served.sendToolListChanged().catch(() => {}),
      close: () => served.close(),
    })
    await served.connect(transport)
  }

  const start = () =>
    new Promise<void>((resolve, reject) => {
      listener = createServer((request, response) => {
        handle(request, response).catch(() => response.destroy())
      })
      listener.on('error', reject)
      listener.listen(port, '127.0.0.1', () => {
        port = (listener.address() as AddressInfo).port
        resolve()
      })
    })

  const forget = async () => {
    const old = [...sessions.values()]
    sessions.clear()
    for (const session of old) await session.close().catch(() => {})
  }

  await start()
  const url = `http://127.0.0.1:${port}/${way === 'sse' ? 'sse' : 'mcp'}`
  const server: McpHttpServer = {
    address: { kind: 'http', url, headers: {} },
    url,
    events,
    requests,
    set(part) {
      host.change(part)
      modern.notify.toolsChanged()
      for (const session of sessions.values()) session.toolsChanged()
    },
    intercept: undefined,
    forget,
    async stop() {
      const closed = new Promise(resolve => listener.close(resolve))
      dropAll()
      await forget()
      await modern.close()
      modern = createModern()
      dropAll()
      await closed
    },
    start,
  }
  return server
}

const refuse = (response: ServerResponse, status: number): undefined => {
  const error = { code: -32_001, message: 'Session not found' }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const serveWeb = async (
  fetch: (request: Request) => Promise<Response>,
  { method = 'GET', url = '', headers }: IncomingMessage,
  response: ServerResponse,
  body: string,
) => {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const request = new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    signal: gone.signal,
    ...(body !== '' && { body }),
  })
  const answer = await fetch(request)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.flushHeaders()
  if (answer.body) for await (const part of answer.body) response.write(part)
  response.end()
}
