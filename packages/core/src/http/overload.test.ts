import { type RouteOptions, route } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

/** Boots an oracle whose route `/hold` answers once `release` is called. */
const booted = async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const gateway = (path: string, options: RouteOptions, work?: Promise<void>) =>
    route.post(
      path,
      { auth: 'public', summary: 'A route', ok: { 200: { description: 'ok' } }, ...options },
      async c => {
        await work
        return c.text('done')
      },
    )
  const dial: RouteOptions = { refuse: (c, { code }) => c.text(`END ${code}`, 200) }
  const routes = [gateway('/hold', {}, promise), gateway('/dial', dial)]
  const oracle = await testApp({ plugins: [officePlugin({ routes })], env: { RATE_LIMIT_PER_MINUTE: '0' } })
  const post = async (path: string) => oracle.app.request(path, { method: 'POST' })
  const holdMany = (count: number) => Array.from({ length: count }, () => post('/hold'))
  return { ...oracle, post, holdMany, release, [Symbol.asyncDispose]: () => oracle.app.close() }
}

/** Keeps the event loop from its timers. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('beyond its capacity an oracle rejects new work before it reads a credential, phones last, accepts stops, and recovers', async () => {
  await using oracle = await booted()
  const held = oracle.holdMany(40)
  block(200)
  const [refused, early, read] = [oracle.post('/chat'), oracle.post('/dial'), oracle.app.request('/health')]
  block(2_100)
  const [late, stop] = [oracle.post('/dial'), oracle.post('/chat/s1/stop')]
  const answer = await refused
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ code: 'overloaded' })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await (await early).text()).toBe('done')
  expect(await (await late).text()).toBe('END overloaded')
  expect((await stop).status).toBe(401)
  expect((await read).status).toBe(200)
  oracle.release()
  for (const one of held) expect((await one).status).toBe(200)
  expect((await oracle.post('/chat')).status).toBe(401)
})

test('a slow moment with little work rejects nothing', async () => {
  await using oracle = await booted()
  const held = oracle.holdMany(10)
  block(200)
  const next = oracle.post('/chat')
  oracle.release()
  expect((await next).status).toBe(401)
  for (const one of held) expect((await one).status).toBe(200)
})
