import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { type ScriptedStep, scriptedModel } from '@sibyl/models/testing'
import { type TestActor, type TestApp, testActor, testApp } from '@sibyl/testing'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'

const boot = async (step: ScriptedStep = 'Good day'): Promise<TestApp> => {
  const oracle = await testApp({ plugins: [], model: scriptedModel([step]) })
  onTestFinished(() => oracle.app.close())
  return oracle
}

type Handler = (request: Request) => Response | Promise<Response>

/** Creates a caller of an oracle that is mounted on another server. */
const callerAt = ({ app }: TestApp, base: string, call: Handler): TestActor =>
  testActor({ identity: app.identity, request: async (path, init) => call(new Request(`${base}${path}`, init)) })

const listen = async (server: ReturnType<typeof createServer>): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Expects what a host must pass through: health with all headers, a problem, a streamed chat, and its session. */
const expectOracle = async (actor: TestActor) => {
  const health = await actor.request('/health')
  expect([health.status, health.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
  expect((await (await actor.request('/nowhere')).json()).code).toBe('route_not_found')
  const answer = await actor.request('/chat', { json: { id: 'walk', message: 'hello' } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const stream = await answer.text()
  const texts = [...stream.matchAll(/"type":"text-delta".*?"delta":"([^"]*)"/g)].map(([, delta]) => delta)
  expect(texts.join('')).toBe('Good day')
  expect(stream).toMatch(/data: \[DONE\]\n\n$/)
  const session = await (await actor.request('/sessions/walk')).json()
  expect(session.messages).toHaveLength(2)
}

describe('the oracle without its own server', () => {
  test('as a web-standard handler', async () => {
    const oracle = await boot()
    await expectOracle(callerAt(oracle, 'http://oracle.test', request => oracle.app.fetch(request)))
  })

  test('under a path of another app', async () => {
    const oracle = await boot()
    const site = new Hono().get('/', c => c.text('the site')).mount('/oracle', request => oracle.app.fetch(request))
    const fetch: Handler = request => site.fetch(request)
    expect(await (await fetch(new Request('http://site.test/'))).text()).toBe('the site')
    await expectOracle(callerAt(oracle, 'http://site.test/oracle', fetch))
    const page = await (await fetch(new Request('http://site.test/oracle/docs'))).text()
    const [, script = ''] = /src="([^"]+)"/.exec(page) ?? []
    const loaded = await fetch(new Request(new URL(script, 'http://site.test/oracle/docs')))
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  })

  test("on Node's server through an adapter, with the adapter's facts of the request", async () => {
    const oracle = await boot()
    const listener = getRequestListener((request, bindings) => oracle.app.fetch(request, bindings))
    await expectOracle(callerAt(oracle, await listen(createServer(listener)), fetch))
  })

  test('under a path of another app on that server', async () => {
    const oracle = await boot()
    const site = new Hono().mount('/oracle', (request, bindings) => oracle.app.fetch(request, bindings))
    const base = await listen(createServer(getRequestListener((request, env) => site.fetch(request, env))))
    await expectOracle(callerAt(oracle, `${base}/oracle`, fetch))
  })

  test("on Node's server by hand", async () => {
    const oracle = await boot()
    const server = createServer(async (incoming, outgoing) => {
      const response = await oracle.app.fetch(asRequest(incoming))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      if (response.body) Readable.fromWeb(response.body as never).pipe(outgoing)
      else outgoing.end()
    })
    await expectOracle(callerAt(oracle, await listen(server), fetch))
  })

  test('streams as the answer is generated', async () => {
    const gate = Promise.withResolvers<void>()
    const oracle = await boot(['Good ', { wait: gate.promise }, 'day'])
    const site = new Hono().mount('/oracle', (request, bindings) => oracle.app.fetch(request, bindings))
    const base = await listen(createServer(getRequestListener((request, env) => site.fetch(request, env))))
    const answer = await callerAt(oracle, `${base}/oracle`, fetch).request('/chat', { json: { message: 'hello' } })
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('"delta":"Good ') && !text.includes('"delta":"day')) gate.resolve()
    }
    expect(text).toContain('"delta":"day')
  })
})

const asRequest = (incoming: IncomingMessage): Request => {
  const { method = 'GET', url = '/', headers } = incoming
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(incoming) as never, duplex: 'half' }
  return new Request(`http://${headers.host}${url}`, { method, headers: headers as Record<string, string>, ...body })
}
