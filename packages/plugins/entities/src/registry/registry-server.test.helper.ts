import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readBody } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** What a request is answered: a status and a body, a cut connection, or nothing at all. */
export type Answer =
  | 'cut'
  | 'silence'
  | 'half'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }

/** A request as it came in. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

/** Serves prepared answers in order, the last one for ever; gone after the test. */
export const serveAnswers = async (answers: readonly Answer[]): Promise<{ url: string; received: Received[] }> => {
  const received: Received[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request
    const body = method === 'GET' || headers['content-type'] === undefined ? undefined : await readBody(request)
    const answer = answers[Math.min(received.length, answers.length - 1)]
    received.push({ method, path, headers, body })
    if (answer === undefined || answer === 'silence') return
    if (answer === 'cut') return void response.destroy()
    if (answer === 'half') {
      response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).write('{"did":')
      return
    }
    const type = answer.status < 400 ? 'application/json' : 'application/problem+json'
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers }).end(JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** A problem with a code of the oracle. */
export const problemAnswer = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { type: 'about:blank', title: code, status, code },
})

/** An entity, as a registry answers it. */
export const entityAnswer = (status = 200, headers: Record<string, string> = { etag: '"1"' }): Answer => ({
  status,
  headers,
  body: {
    did: 'did:web:registry.example:entities:01jd',
    type: 'CookStove',
    controller: 'did:web:registry.example',
    domainClass: 'Physical Twins',
    status: 'active',
    properties: {},
    services: [],
    relationships: {},
    verifiableCredential: [],
    alsoKnownAs: [],
    version: 1,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
  },
})
