import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Host } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { readStream, scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startKillableOracle } from '../testing/killable-oracle.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const never = new Promise<never>(() => {})

/** Starts a process of an oracle in the middle of an answer, and the next one. */
const answering = async (folder: { path: string; databaseUrl: string }, script: string, graceSeconds: number) => {
  const key = createSigningKey()
  const mnemonic = createMnemonic(12).reveal()
  const options = { databaseUrl: folder.databaseUrl, mnemonic, journal: join(folder.path, 'journal.txt'), script }
  const env = { SHUTDOWN_GRACE_SECONDS: String(graceSeconds) }
  const oracle = await startKillableOracle({ ...options, env }, key)
  const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  const restarted = async (steps: readonly string[] = []) => {
    const model = scriptedModel(steps)
    const after = await testApp({
      plugins: [],
      model,
      env: { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: mnemonic },
    })
    const actor = testActor(after.app, Date.now, key)
    return { actor, [Symbol.asyncDispose]: () => after.app.close() }
  }
  return { oracle, reader, restarted }
}

test('SIGTERM: a turn that ends in time ends normally, new connections are rejected meanwhile', async () => {
  using folder = temporaryFolder()
  const { oracle, reader, restarted } = await answering(folder, 'end-late', 15)
  await using _ = oracle
  await reader.until('text-delta')
  const ended = oracle.end('SIGTERM')
  await expect
    .poll(() => oracle.actor.request('/sessions').then(String, error => error.cause?.code))
    .toBe('ECONNREFUSED')
  const { text, last, done } = await reader.rest()
  expect([text, last?.type, done]).toEqual(['partial answer', 'finish', true])
  await ended
  await using after = await restarted()
  const { messages } = await (await after.actor.request('/sessions/s1')).json()
  expect(messages[1]).toMatchObject({
    metadata: { outcome: 'done' },
    parts: [{}, { text: 'partial ' }, { text: 'answer' }],
  })
})

test('SIGTERM: the next process continues a turn that does not end in time', async () => {
  using folder = temporaryFolder()
  const { oracle, reader, restarted } = await answering(folder, 'answer', 0)
  await using _ = oracle
  await reader.until('text-delta')
  const ended = oracle.end('SIGTERM')
  const { last, done } = await reader.rest()
  expect([last?.code, done]).toEqual([undefined, false])
  await ended
  await using after = await restarted(['the whole answer'])
  const headers = { 'last-event-id': String(last?.eventId) }
  const rest = await readStream(await after.actor.request('/chat/s1/stream', { headers }))
  expect([rest.text, rest.last?.type]).toEqual(['the whole answer', 'finish'])
})

test('SIGTERM: hooks that never settle do not block the exit', { tags: 'long' }, async () => {
  using folder = temporaryFolder()
  const { oracle, reader } = await answering(folder, 'hang-after done', 0)
  await using _ = oracle
  expect((await reader.rest()).last?.type).toBe('finish')
  await oracle.end('SIGTERM')
})

test('a dispose that never settles blocks neither the exit nor the other plugins', { tags: 'long' }, async () => {
  const disposed: string[] = []
  const plugin = (name: string, dispose: () => Promise<void>) => samplePlugin(name, { setup: () => ({ dispose }) })
  const logger = recordedLogger()
  const plugins = [
    plugin('first', async () => void disposed.push('first')),
    plugin('stuck', () => never),
    plugin('stuck-too', () => never),
    plugin('last', async () => void disposed.push('last')),
  ]
  const { app } = await testApp({ plugins, logger })
  await app.close()
  expect(disposed).toEqual(['last', 'first'])
  const stuck = logger.lines.filter(({ message }) => message === "a plugin's dispose failed")
  expect(stuck.map(({ fields }) => fields?.plugin)).toEqual(['stuck-too', 'stuck'])
})

test('a job that never settles does not block the exit, and runs again in the next process', {
  tags: 'long',
}, async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const booted = async (run: () => Promise<void>) => {
    const made = Promise.withResolvers<Host['jobs']>()
    const setup = ({ jobs }: Host) => {
      jobs.define('desk/work', z.object({}), run)
      made.resolve(jobs)
      return {}
    }
    const { app } = await testApp({ plugins: [samplePlugin('desk', { setup })], env })
    return { app, jobs: await made.promise }
  }
  const [begun, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = await booted(() => {
    begun.resolve()
    return never
  })
  await first.jobs.enqueue('desk/work', {})
  await begun.promise
  await first.app.close()
  const next = await booted(async () => again.resolve())
  await again.promise
  await next.app.close()
})

test('while it stops, new turns are 503 with the time to wait, /health reports it, and running turns are followed', async () => {
  const gate = Promise.withResolvers<void>()
  const { app, actor } = await testApp({
    plugins: [],
    model: scriptedModel([['one ', { wait: gate.promise }, 'two'], 'x']),
  })
  const reader = await streamReader(actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  await reader.until('text-delta')
  const closed = app.close({ graceMs: 60_000 })
  const refused = await actor.request('/chat', { json: { id: 's2', message: 'hi' } })
  expect([refused.status, (await refused.json()).code, refused.headers.get('retry-after')]).toEqual([
    503,
    'shutting_down',
    '5',
  ])
  const health = await app.request('/health')
  expect([health.status, (await health.json()).status]).toEqual([503, 'stopping'])
  const again = readStream(await actor.request('/chat/s1/stream'))
  gate.resolve()
  expect((await reader.rest()).text).toBe('one two')
  expect((await again).text).toBe('one two')
  await closed
})

test('the next process continues a turn that begins during shutdown', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const { app, actor } = await testApp({ plugins: [], model: scriptedModel(Array(20).fill([{ wait: never }])), env })
  const tokens = await Promise.all(Array.from({ length: 20 }, () => actor.token()))
  const asked = tokens.map((token, index) =>
    app.request('/chat', {
      method: 'POST',
      body: JSON.stringify({ id: `s${index}`, message: 'hi' }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    }),
  )
  await asked[0]
  await app.close()
  let accepted = 0
  for (const answer of await Promise.all(asked)) {
    if (answer.status === 503) continue
    expect(await readStream(answer)).toMatchObject({ done: false })
    accepted += 1
  }
  const logger = recordedLogger()
  const next = await testApp({ plugins: [], model: scriptedModel([]), env, logger })
  const continued = logger.lines.filter(({ message }) => message === 'a turn continues after its process ended')
  expect(continued).toHaveLength(accepted)
  await next.app.close()
})
