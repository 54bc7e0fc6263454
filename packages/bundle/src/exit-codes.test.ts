/** @module-tag long */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { sharePostgres } from '@sibyl/storage/testing'
import { reservePort } from '@sibyl/testing'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './all-plugins.test.support.ts'
import { startOracle } from './oracle-process.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const temporary = 75
const invalid = 3

test('a SQLite file in use is temporary, and the oracle can wait for it', async () => {
  const folder = temporaryFolder()
  const env = { DATABASE_URL: `file:${join(folder, 'oracle.db')}` }
  const first = startOracle(folder, env)
  await first.url()
  const second = await startOracle(folder, env).ended
  expect(second.code).toBe(temporary)
  expect(second.stderr).toContain('[boot-error] This can pass: exit code 75')
  const waiting = startOracle(folder, { ...env, DATABASE_WAIT_SECONDS: '600' })
  await waiting.until('waiting for the database')
  await first.stop()
  expect((await fetch(`${await waiting.url()}/health`)).status).toBe(200)
})

test.runIf(postgres !== undefined)(
  'PostgreSQL that is not up yet is temporary; a missing database is not',
  async () => {
    const folder = temporaryFolder()
    const direct = new URL(await postgres!.createDatabase())
    const port = await reservePort()
    const later = `postgres://${direct.username}@127.0.0.1:${port}${direct.pathname}`
    expect((await startOracle(folder, { DATABASE_URL: later }).ended).code).toBe(temporary)

    const waiting = startOracle(folder, { DATABASE_URL: later, DATABASE_WAIT_SECONDS: '600' })
    await waiting.until('waiting for the database')
    const socket = `${direct.searchParams.get('host')}/.s.PGSQL.${direct.port || 5432}`
    const proxy = createServer(client => {
      const upstream = connect(socket)
      for (const end of [client, upstream]) end.on('error', () => upstream.destroy())
      client.pipe(upstream).pipe(client)
    }).listen(port, '127.0.0.1')
    onTestFinished(() => void proxy.close())
    await once(proxy, 'listening')
    expect((await fetch(`${await waiting.url()}/health`)).status).toBe(200)

    const missing = new URL(direct)
    missing.pathname = '/missing'
    const refused = await startOracle(folder, { DATABASE_URL: missing.href, DATABASE_WAIT_SECONDS: '600' }).ended
    expect(refused).toMatchObject({ code: invalid, stdout: expect.stringContaining('has no such database') })
  },
)
