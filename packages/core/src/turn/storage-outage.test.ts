import { createMnemonic } from '@sibyl/identity'
import { recordedLogger } from '@sibyl/plugin/testing'
import { feltTime, startPostgres } from '@sibyl/storage/testing'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.stop())

test.skipIf(postgres === undefined)(
  'a turn whose end cannot be stored reports it, and is stored once the database is back',
  async () => {
    const gate = Promise.withResolvers<void>()
    const ends: string[] = []
    const after = async (_: unknown, { outcome }: { outcome: string }) => void ends.push(outcome)
    const logger = recordedLogger()
    await using oracle = await testApp({
      plugins: [officePlugin({ turn: { after } })],
      model: scriptedModel([['so ', { wait: gate.promise }, 'far'], 'next']),
      env: { DATABASE_URL: (await postgres?.createDatabase()) ?? '' },
      logger,
    })
    const send = (message: string) => oracle.actor.request('/chat', { json: { id: 's1', message } })
    const reader = await streamReader(send('hi'))
    await reader.until('text-delta')
    await postgres?.crash()
    gate.resolve()
    const { text, last, done } = await reader.rest()
    expect([text, last?.type, last?.code, done]).toEqual(['so far', 'error', 'storage_unavailable', true])
    const health = await oracle.app.request('/health')
    expect([health.status, (await health.json()).database]).toEqual([503, 'disconnected'])
    const refused = await send('while it is down')
    expect(refused.status).toBe(503)
    expect(await refused.text()).not.toMatch(/postgres:\/\/|sibyl-pg|ECONN|ENOENT/)
    expect(ends).toEqual([])

    await postgres?.restart()
    const isFree = async () => {
      const answer = await oracle.actor.request('/sessions/s1')
      return answer.status === 200 && (await answer.json()).runningTurn === undefined
    }
    await expect.poll(isFree, { interval: 100 }).toBe(true)
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    expect(messages[1]).toMatchObject({ role: 'assistant', metadata: { outcome: 'done' } })
    expect(messages[1].parts.map((part: { text?: string }) => part.text ?? '').join('')).toBe('so far')
    await expect.poll(() => ends).toEqual(['done'])
    expect((await readStream(await send('and now?'))).text).toBe('next')
  },
)

test.skipIf(postgres === undefined)(
  'while the database hangs, health and requests are answered in time; running turns continue afterwards',
  { tags: 'long' },
  async () => {
    const gate = Promise.withResolvers<void>()
    const logger = recordedLogger()
    await using oracle = await testApp({
      plugins: [officePlugin({})],
      model: scriptedModel([['so ', { wait: gate.promise }, 'far'], 'next']),
      env: { DATABASE_URL: (await postgres?.createDatabase()) ?? '' },
      logger,
    })
    const send = (id: string) => oracle.actor.request('/chat', { json: { id, message: 'hi' } })
    const reader = await streamReader(send('s1'))
    await reader.until('text-delta')
    await postgres?.standStill()
    try {
      const health = await oracle.app.request('/health')
      expect([health.status, (await health.json()).status]).toEqual([503, 'degraded'])
      const first = await feltTime(Promise.all([send('s2'), send('s3'), oracle.actor.request('/sessions')]))
      for (const response of first.result) expect(response.status).toBe(503)
      const second = await feltTime(send('s4'))
      expect((await second.result.json()).code).toBe('storage_unavailable')
      expect(second.tookMs).toBeLessThan(first.tookMs)
    } finally {
      await postgres?.resume()
    }
    const healthy = async () => (await oracle.app.request('/health')).status
    await expect.poll(healthy, { interval: 100 }).toBe(200)
    gate.resolve()
    const { text, last } = await reader.rest()
    expect([text, last?.type]).toEqual(['so far', 'finish'])
    expect((await readStream(await send('s1'))).text).toBe('next')
    expect(logger.lines.some(({ level, message }) => level === 'warn' && message.includes('connection was lost'))).toBe(
      true,
    )
  },
)

test.skipIf(postgres === undefined)('a restart of the database during a turn is invisible to its readers', async () => {
  const gate = Promise.withResolvers<void>()
  await using oracle = await testApp({
    plugins: [officePlugin({})],
    model: scriptedModel([['so ', { wait: gate.promise }, 'far']]),
    env: { DATABASE_URL: (await postgres?.createDatabase()) ?? '' },
  })
  const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  await reader.until('text-delta')
  await postgres?.crash()
  gate.resolve()
  await postgres?.restart()
  const { text, last, done } = await reader.rest()
  expect([text, last?.type, done]).toEqual(['so far', 'finish', true])
})

test.skipIf(postgres === undefined)('a fail-over is answered with 503, and the oracle recovers', async () => {
  await using oracle = await testApp({
    plugins: [officePlugin({})],
    model: scriptedModel(['hello', 'hello again']),
    env: { DATABASE_URL: (await postgres?.createDatabase()) ?? '' },
  })
  const send = (id: string) => oracle.actor.request('/chat', { json: { id, message: 'hi' } })
  const health = async () => (await oracle.app.request('/health')).status
  expect((await readStream(await send('s1'))).text).toBe('hello')
  await postgres?.demote()
  await expect.poll(health).toBe(503)
  const refused = await send('s2')
  expect([refused.status, (await refused.json()).code]).toEqual([503, 'storage_unavailable'])
  await postgres?.promote()
  await expect.poll(health).toBe(200)
  expect((await readStream(await send('s2'))).text).toBe('hello again')
})
test.skipIf(postgres === undefined)(
  'the database restarts while a turn is recovered: one of two processes continues it, once, and none that is ending does',
  { tags: 'long' },
  async () => {
    const ORACLE_MNEMONIC = createMnemonic(12).reveal()
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC }
    const gate = Promise.withResolvers<void>()
    const stuck: ScriptedStep = ['partial ', { wait: gate.promise }, 'done']
    const boot = async (steps: readonly ScriptedStep[]) => {
      const model = scriptedModel(steps)
      return { ...(await testApp({ model, plugins: [], env })), model }
    }
    const [leaving, ending, ...staying] = await Promise.all([
      boot([stuck]),
      boot([stuck]),
      boot(['the whole answer']),
      boot(['the whole answer']),
    ])
    const begin = async (oracle: typeof leaving, id: string) => {
      const reader = await streamReader(oracle.actor.request('/chat', { json: { id, message: 'hi' } }))
      await reader.until('text-delta')
      return reader
    }
    await begin(leaving, 's1')
    const own = await begin(ending, 's2')
    const ended = ending.app.close({ graceMs: 60_000 })
    await leaving.app.close({ graceMs: 0 })
    await postgres?.crash()
    await postgres?.restart()
    const session = () => {
      const { key } = leaving.actor
      const actor = testActor(staying[0]!.app, Date.now, key)
      return actor.request('/sessions/s1').then(answer => (answer.status === 200 ? answer.json() : undefined))
    }
    const outcome = async () => (await session())?.messages[1]?.metadata.outcome
    await expect.poll(outcome, { interval: 100 }).toBe('done')
    expect(JSON.stringify((await session()).messages[1].parts)).toContain('the whole answer')
    expect(staying.map(({ model }) => model.calls.length).toSorted()).toEqual([0, 1])
    expect(ending.model.calls).toHaveLength(1)
    gate.resolve()
    expect((await own.rest()).text).toBe('partial done')
    await ended
    await Promise.all(staying.map(({ app }) => app.close()))
  },
)
