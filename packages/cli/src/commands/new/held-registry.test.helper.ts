import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/**
 * Stands before a registry and passes everything on, but for one request: its answer is kept back, as by a network that
 * breaks.
 *
 * @param held Method and path of that request. With `before` the registry does not get it either.
 */
export const holdRegistry = async (registryUrl: () => string, held: string, first: 'before' | 'after') => {
  let reached = Promise.withResolvers<void>()
  let when: 'before' | 'after' | undefined = first
  const passOn = async (method: string, path: string, headers: Record<string, string>, body: Buffer) =>
    fetch(`${registryUrl()}${path}`, { method, headers, ...(body.length > 0 ? { body: new Uint8Array(body) } : {}) })
  const answer = async (response: ServerResponse, answered: Response) => {
    const { 'content-type': type = '', location, etag } = Object.fromEntries(answered.headers)
    response.writeHead(answered.status, {
      'content-type': type,
      ...(location ? { location } : {}),
      ...(etag ? { etag } : {}),
    })
    response.end(Buffer.from(await answered.arrayBuffer()))
  }
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const isHeld = when !== undefined && `${method} ${url}` === held
    if (isHeld && when === 'before') return reached.resolve()
    const body = await buffer(request)
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key', 'ucan'].flatMap(name => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const answered = await passOn(method, url, headers, body).catch(() => undefined)
    if (!answered) return void response.destroy()
    if (isHeld) return reached.resolve()
    await answer(response, answered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Waits until the request has come. */
    reached: () => reached.promise,
    /** Holds it once more. */
    hold(next: 'before' | 'after') {
      reached = Promise.withResolvers()
      when = next
    },
    /** Answers everything from now on. */
    letGo() {
      when = undefined
    },
  }
}
