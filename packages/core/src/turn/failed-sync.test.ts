import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { recordedLogger } from '@sibyl/plugin/testing'
import { scriptedModel, testActor, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

type SyncCallback = (error: NodeJS.ErrnoException | null) => void

/** Makes the next sync of a log fail, and no later one. */
const failNextSync = () => {
  const { fdatasync } = fs
  const restore = () => {
    fs.fdatasync = fdatasync
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  fs.fdatasync = ((_descriptor: number, callback: SyncCallback) => {
    restore()
    setImmediate(() => callback(Object.assign(new Error('i/o error'), { code: 'EIO' })))
  }) as typeof fs.fdatasync
  syncBuiltinESMExports()
}

test('after a failed sync health is 503, nothing is written, and the failure is reported', async () => {
  using folder = temporaryFolder()
  const logger = recordedLogger()
  await using oracle = await testApp({
    plugins: [officePlugin({})],
    model: scriptedModel(Array.from({ length: 10 }, () => 'hello')),
    env: { DATABASE_URL: folder.databaseUrl },
    logger,
  })
  const send = async (session: string) => {
    const message = { id: `in-${session}`, role: 'user', parts: [{ type: 'text', text: 'hello' }] }
    const response = await oracle.actor.request('/chat', { json: { id: session, message } })
    return [
      response.status,
      response.status === 200 ? (await response.text()).length > 0 : (await response.json()).code,
    ]
  }
  expect(await send('before')).toEqual([200, true])
  failNextSync()
  expect(await send('during')).toEqual([503, 'storage_unavailable'])
  expect(await oracle.app.failed).toMatchObject({ code: 'database_sync_failed' })
  expect(await send('after')).toEqual([503, 'storage_unavailable'])
  const health = await oracle.app.request('/health')
  expect([health.status, await health.json()]).toEqual([
    503,
    {
      status: 'degraded',
      environment: 'development',
      timestamp: expect.any(String),
      uptime: expect.any(Number),
      database: 'disconnected',
    },
  ])
  const texts = logger.lines.filter(
    ({ message }) => message === 'the database no longer accepts writes; restart the oracle',
  )
  expect(texts).toHaveLength(1)
  await oracle.app.close()
  await using again = await testApp({ plugins: [officePlugin({})], env: { DATABASE_URL: folder.databaseUrl } })
  expect((await again.app.request('/health')).status).toBe(200)
})

test('a session that was rejected after a failed sync is absent after a restart', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl }
  const { key, sessions } = await (async () => {
    await using oracle = await testApp({ plugins: [officePlugin({})], model: scriptedModel(['hello', 'hello']), env })
    await oracle.chat('hello', { session: 'before' })
    failNextSync()
    await oracle.actor.request('/chat', { json: { id: 'during', message: 'hello' } })
    await oracle.actor.request('/chat', { json: { id: 'after', message: 'hello' } })
    return { key: oracle.actor.key, sessions: await oracle.actor.request('/sessions/after') }
  })()
  expect(sessions.status).toBe(404)
  await using again = await testApp({ plugins: [officePlugin({})], env })
  const actor = testActor(again.app, Date.now, key)
  const statusOf = async (id: string) => (await actor.request(`/sessions/${id}`)).status
  expect([await statusOf('before'), await statusOf('after')]).toEqual([200, 404])
})
