import { createHash } from 'node:crypto'
import { BootError } from '@sibyl/plugin'
import { fakeClock } from '@sibyl/storage/testing'
import { startObjectStore } from '@sibyl/storage/testing/objects'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

const day = 86_400_000
const settings = { RETENTION_CONVERSATIONS_DAYS: '30', RETENTION_ARCHIVE_URL: 's3://oracle/archive' }

test('an archive in an object store has every row before it is deleted, and nothing is deleted without it', async () => {
  const store = await startObjectStore()
  const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
  await using oracle = await testApp({ plugins: [], clock, env: { ...settings, ...store.env } })
  const { actor, chat, runJob } = oracle
  await chat('good morning', { session: 's1' })
  clock.jump(31 * day)
  for (const [answer, text] of [
    [{ status: 507, code: 'InsufficientStorage' }, 'is full'],
    [{ status: 403, code: 'SignatureDoesNotMatch' }, 'rejects the key'],
    [{ status: 403, code: 'RequestTimeTooSkewed' }, 'clock of this machine is off'],
    ['hang up', 'is not reachable'],
  ] as const) {
    let puts = 0
    store.interfere = ({ method }) => {
      if (method === 'PUT') puts += 1
      return puts > 1 ? answer : undefined
    }
    await expect(runJob('core/retention')).rejects.toThrow(text)
    expect((await actor.request('/sessions/s1')).status).toBe(200)
  }
  store.interfere = undefined
  await runJob('core/retention')
  expect((await actor.request('/sessions/s1')).status).toBe(404)
  const keys = await store.keys()
  const tables = new Set<string>()
  for (const key of keys) {
    const [, table = '', digest] = /^archive\/2026-12-24\/(\w+)-([0-9a-f]{64})\.ndjson$/.exec(key) ?? []
    tables.add(table)
    expect(
      createHash('sha256')
        .update(await store.read(key))
        .digest('hex'),
    ).toBe(digest)
  }
  expect(tables).toContain('core_sessions')
  const messages = keys.find(key => key.includes('/core_messages-')) ?? ''
  expect(String(await store.read(messages))).toContain('good morning')
})

test('an archive without a key prevents the start', async () => {
  const error = await testApp({ plugins: [], env: settings }).catch(thrown => thrown)
  if (!(error instanceof BootError)) throw error
  expect(error.problems).toMatchObject([{ code: 'env_invalid', variable: 'RETENTION_ARCHIVE_URL' }])
  expect(error.problems[0]?.lines.join(' ')).toContain('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
})
