import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mustCall } from '../entities/call.ts'

/** A receiver of changes that stays while the oracle is killed. */
export interface WebhookReceiver extends AsyncDisposable {
  /** `<did> <version>` of each change, by `webhook-id`, in the order in which they first came. */
  readonly taken: ReadonlyMap<string, string>
  /** Messages that were not signed as Standard Webhooks says, or came again with another content. */
  readonly wrong: number
  /** Number of repeated changes. */
  readonly again: number
  /** Has the changes of a type sent here. */
  register(url: string, type: string): Promise<void>
}

/** Opens a receiver on this computer. */
export const openReceiver = async (): Promise<WebhookReceiver> => {
  const taken = new Map<string, string>()
  const counts = { wrong: 0, again: 0 }
  let secret: Buffer = Buffer.alloc(0)
  const take = async (request: IncomingMessage) => {
    const body = await text(request)
    const { 'webhook-id': id = '', 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
    const wanted = `v1,${createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')}`
    const { data } = JSON.parse(body) as { data: { did: string; version: number } }
    const change = `${data.did} ${data.version}`
    const known = taken.get(String(id))
    if (known !== undefined) counts.again += 1
    if (signature !== wanted || (known ?? change) !== change) counts.wrong += 1
    else taken.set(String(id), change)
  }
  const server = createServer((request, response) => {
    take(request).then(
      () => response.writeHead(204).end(),
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    taken,
    get wrong() {
      return counts.wrong
    },
    get again() {
      return counts.again
    },
    async register(url, type) {
      const json = { url: `http://127.0.0.1:${port}/`, type }
      const made = await mustCall<{ secret: string }>(url, { method: 'POST', path: '/v1/webhooks', by: 'oracle', json })
      secret = Buffer.from(made.secret.slice('whsec_'.length), 'base64')
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
