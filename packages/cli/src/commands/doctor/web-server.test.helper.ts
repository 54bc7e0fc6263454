import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a server answers to `GET /path`: JSON, or whatever the function does. */
export type Answers = Readonly<Record<string, unknown>>

/** A request as it came in. */
export interface SeenRequest {
  /** `GET /v1/models` */
  readonly line: string
  readonly authorization: string | undefined
  readonly body: string
}

/** Serves answers on a port of this computer until the test ends; what it does not know is 404. */
export const serveAnswers = async (answers: Answers, headers: Readonly<Record<string, string>> = {}, at = 0) => {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const line = `${request.method} ${decodeURIComponent(request.url ?? '')}`
    seen.push({ line, authorization: request.headers.authorization, body })
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const answer = answers[line]
    if (typeof answer === 'function') (answer as Answer)(request, response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(at, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, seen }
}

/** Answers by hand. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void
