import { once } from 'node:events'
import { request } from 'node:http'
import { definePlugin, route } from '@sibyl/plugin'
import { readStream, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

test('without a plugin that stores files a message with one is rejected, and parts of other kinds are dropped', async () => {
  await using oracle = await testApp({ plugins: [], model: scriptedModel(['Hello.']) })
  const send = (parts: readonly object[]) =>
    oracle.actor.request('/chat', { json: { id: 's', message: { role: 'user', parts } } })
  const text = { type: 'text', text: 'Look' }
  const refused = await send([
    text,
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
  ])
  expect([refused.status, (await refused.json()).code]).toEqual([422, 'attachments_off'])
  const long = { type: 'text', text: 'x'.repeat(70_000) }
  const tooLong = await send([long, long])
  expect([tooLong.status, (await tooLong.json()).issues[0].path]).toEqual([400, '/message/parts'])
  expect((await readStream(await send([text, { type: 'data-thing', data: 1 }]))).text).toBe('Hello.')
  const { messages } = await (await oracle.actor.request('/sessions/s')).json()
  expect(messages[0].parts).toEqual([text])
})

/** Creates a plugin that streams bodies and reports their lengths; an interrupted one counts as -1. */
const takingPlugin = (report: (bytes: number) => void) =>
  definePlugin({
    name: 'taking',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Taking', summary: 'Takes.', whenToUse: ['a test does'] },
    setup: () => ({
      routes: [
        route.put(
          '/take',
          {
            auth: 'public',
            summary: 'A route',
            body: { content: { '*/*': { schema: {} } } },
            ok: { 204: { description: 'Taken' } },
            maxBodyBytes: 2_000_000,
          },
          async c => {
            let size = 0
            try {
              for await (const piece of c.req.raw.body ?? []) size += piece.length
            } catch (error) {
              size = -1
              throw error
            } finally {
              report(size)
            }
            return c.body(null, 204)
          },
        ),
      ],
    }),
  })

test('a route may accept larger bodies of any kind, as a stream that ends at the limit', async () => {
  const sizes: number[] = []
  const taking = takingPlugin(size => sizes.push(size))
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
    expect(sizes.filter(size => size > 0)).toEqual([2_000_000, 2_000_000, json.body.length])
  }
})

test('the reader of a body that is not completed in time gets an error', async () => {
  const broken = Promise.withResolvers<number>()
  await using oracle = await testApp({
    plugins: [takingPlugin(broken.resolve)],
    env: { REQUEST_TIME_LIMIT_SECONDS: '1' },
  })
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const outgoing = request({ port, method: 'PUT', path: '/take' })
  outgoing.on('error', () => {})
  outgoing.write('a beginning')
  const [answer] = await once(outgoing, 'response')
  // Node's own limit for a request is the same, and may apply first.
  expect([503, 408]).toContain(answer.statusCode)
  expect(await broken.promise).toBe(-1)
})
