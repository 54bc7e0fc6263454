import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fakeClock } from '@sibyl/storage/testing'
import { testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const token = 'operator-token-of-the-tests-01'
const day = 86_400_000

const open = async (env: Readonly<Record<string, string>>) => {
  const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
  const oracle = await testApp({ plugins: [], clock, env: { ORACLE_OPERATOR_TOKEN: token, ...env } })
  const hold = async (did: string, init: RequestInit = {}, path = 'hold') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await oracle.app.request(`/people/${encodeURIComponent(did)}/${path}`, { headers, ...init })
    return { status: response.status, body: response.status === 204 ? undefined : await response.json() }
  }
  return { ...oracle, clock, hold, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
}

const place = (reason: string) => ({ method: 'PUT', body: JSON.stringify({ reason }) })

test('a hold keeps the conversations of a person from retention and erasure until its release', async () => {
  using folder = temporaryFolder()
  const archive = join(folder.path, 'archive')
  const env = { RETENTION_CONVERSATIONS_DAYS: '30', RETENTION_ARCHIVE_DIR: archive }
  await using oracle = await open(env)
  const { app, actor, chat, clock, hold, runJob } = oracle
  const other = testActor(app, () => clock.now())
  await chat('good morning', { session: 's1' })
  await other.request('/chat', { json: { id: 's2', message: 'hello' } }).then(answer => answer.text())
  expect((await hold(actor.did, place(''))).status).toBe(400)
  const placed = await hold(actor.did, place('Case 12 of the court'))
  expect(placed).toMatchObject({ status: 200, body: { reason: 'Case 12 of the court', heldBy: expect.any(String) } })
  expect((await hold(actor.did, place('Another reason'))).body).toEqual(placed.body)
  for (const erase of [
    () => actor.request('/me', { method: 'DELETE' }),
    () =>
      app.request(`/people/${encodeURIComponent(actor.did)}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      }),
  ]) {
    const refused = await erase()
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'person_held'])
  }
  clock.jump(31 * day)
  await runJob('core/retention')
  expect((await actor.request('/sessions/s1')).status).toBe(200)
  expect((await other.request('/sessions/s2')).status).toBe(404)
  expect(readdirSync(join(archive, '2026-12-24')).some(name => name.startsWith('core_messages-'))).toBe(true)
  expect((await hold(actor.did, { method: 'DELETE' })).status).toBe(204)
  expect((await hold(actor.did, { method: 'DELETE' })).status).toBe(204)
  expect((await hold(actor.did, {}, 'holds')).body.holds).toEqual([
    { ...placed.body, releasedAt: '2026-12-24T10:00:00.000Z', releasedBy: placed.body.heldBy },
  ])
  await runJob('core/retention')
  expect((await actor.request('/sessions/s1')).status).toBe(404)
})

test('only the operator places, reads and releases holds', async () => {
  await using oracle = await open({})
  const { actor } = oracle
  const path = `/people/${encodeURIComponent(actor.did)}`
  for (const [method, name] of [
    ['GET', 'holds'],
    ['PUT', 'hold'],
    ['DELETE', 'hold'],
  ] as const)
    expect([401, 403]).toContain(
      (await actor.request(`${path}/${name}`, method === 'PUT' ? { method, json: { reason: 'x' } } : { method }))
        .status,
    )
})
