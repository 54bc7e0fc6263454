import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { key, startOracle } from './start-oracle.ts'

/** The client of A2A 0.3, as far as the tests use it. */
interface OldClient {
  sendMessage(params: object): Promise<unknown>
  sendMessageStream(params: object): AsyncIterable<{ readonly kind: string }>
  getTask(params: { readonly id: string }): Promise<unknown>
}

const { A2AClient } = createRequire(new URL('../../clients/package.json', import.meta.url))('@a2a-js/sdk/client') as {
  A2AClient: { fromCardUrl(url: string, options: object): Promise<OldClient> }
}

test('the SDK of A2A 0.3 reads the card, sends, streams, and reads a task', async () => {
  const { url } = await startOracle(['Hello.', 'Bye.'])
  const fetchImpl = (input: string, init: RequestInit = {}) =>
    fetch(input, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${key}` },
    })
  const client = await A2AClient.fromCardUrl(`${url}/.well-known/agent-card.json`, { fetchImpl })
  const message = (text: string) => ({
    message: { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'text', text }] },
  })
  const sent = (await client.sendMessage(message('Hi'))) as { readonly result: { readonly id: string } }
  expect(sent.result).toMatchObject({
    kind: 'task',
    status: { state: 'completed' },
    artifacts: [{ parts: [{ kind: 'text', text: 'Hello.' }] }],
    history: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  })
  const events: { readonly kind: string }[] = []
  for await (const event of client.sendMessageStream(message('Again'))) events.push(event)
  expect(events[0]).toMatchObject({ kind: 'task', status: { state: 'working' } })
  expect(events.map(({ kind }) => kind)).toContain('artifact-update')
  expect(events.at(-1)).toMatchObject({ kind: 'status-update', final: true, status: { state: 'completed' } })
  const { id } = sent.result
  expect(await client.getTask({ id })).toMatchObject({ result: { kind: 'task', id, status: { state: 'completed' } } })
})
