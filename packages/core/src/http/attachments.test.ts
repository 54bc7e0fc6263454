import { expect, test } from 'vitest'
import { definePlugin } from '../plugins/oracle-plugin.ts'
import { defineRoute } from '../plugins/route.ts'
import { readStream, scriptedModel, testApp } from '../testing/index.ts'

test('without a plugin that keeps files a message with one is refused, and parts of other kinds are left out', async () => {
  await using oracle = await testApp({ plugins: [], model: scriptedModel(['Hello.']) })
  const send = (parts: readonly object[]) =>
    oracle.actor.request('/chat', { json: { id: 's', message: { role: 'user', parts } } })
  const text = { type: 'text', text: 'Look' }
  const refused = await send([
    text,
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
  ])
  expect([refused.status, (await refused.json()).code]).toEqual([422, 'attachments_off'])
  expect((await readStream(await send([text, { type: 'data-thing', data: 1 }]))).text).toBe('Hello.')
  const { messages } = await (await oracle.actor.request('/sessions/s')).json()
  expect(messages[0].parts).toEqual([text])
})

test('a route may take larger bodies, of any kind, as a stream that ends at the limit', async () => {
  const sizes: number[] = []
  const taking = definePlugin({
    name: 'taking',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Taking', summary: 'Takes.', whenToUse: ['a test does'] },
    setup: () => ({
      routes: [
        defineRoute(
          'public',
          {
            method: 'put',
            path: '/take',
            request: { body: { content: { '*/*': { schema: {} } } } },
            responses: { 204: { description: 'Taken' } },
          },
          async c => {
            let size = 0
            for await (const piece of c.req.raw.body ?? []) size += piece.length
            sizes.push(size)
            return c.body(null, 204)
          },
          { maxBodyBytes: 2_000_000 },
        ),
      ],
    }),
  })
  await using oracle = await testApp({ plugins: [taking] })
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const streamed = (bytes: number) => {
    const pieces = Array.from({ length: bytes / 100_000 }, () => new Uint8Array(100_000))
    const body = new ReadableStream({ pull: c => (pieces.length > 0 ? c.enqueue(pieces.pop()) : c.close()) })
    return { body, duplex: 'half' }
  }
  const json = { body: `{"__proto__":${'['.repeat(100)}`, headers: { 'content-type': 'application/json' } }
  for (const put of [
    (init: object) => fetch(`http://127.0.0.1:${port}/take`, { method: 'PUT', ...init }),
    async (init: object) => oracle.app.request('/take', { method: 'PUT', ...init }),
  ]) {
    sizes.length = 0
    expect((await put({ body: new Uint8Array(2_000_000) })).status).toBe(204)
    expect((await put(streamed(2_000_000))).status).toBe(204)
    expect((await put(json)).status).toBe(204)
    for (const init of [{ body: new Uint8Array(2_000_001) }, streamed(2_100_000)]) {
      const refused = await put(init)
      expect([refused.status, (await refused.json()).code]).toEqual([413, 'body_too_large'])
    }
    expect(sizes).toEqual([2_000_000, 2_000_000, json.body.length])
  }
})
