import type { IncomingMessage, ServerResponse } from 'node:http'

/** Reads a request's body as JSON. */
export const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? undefined : JSON.parse(text)
}

/** Answers with JSON. */
export const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers with a problem document. */
export const problem = (response: ServerResponse, status: number, code: string) => {
  const body = { type: `about:${code}`, title: code.replaceAll('_', ' '), status, code }
  response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body))
}

const epoch = new Date(0).toISOString()

/** A session as `GET /sessions` lists it. */
export const summaryOf = ({ id, text }: { readonly id: string; readonly text: string }) => ({
  id,
  title: text,
  loadedPlugins: [],
  createdAt: epoch,
  updatedAt: epoch,
})

/** What `GET /health` answers. */
export const health = () => ({ status: 'ok', environment: 'test', timestamp: epoch, uptime: 1, database: 'connected' })

/** What `GET /.well-known/oracle.json` answers. */
export const record = (did: string) => ({
  name: 'Scripted Oracle',
  version: '0.1.0',
  did,
  publicDid: 'did:web:localhost',
  authentication: ['ucan'],
  access: 'open',
  endpoints: { chat: '/chat' },
})
