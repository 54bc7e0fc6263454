import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { silentLogger } from '@sibyl/plugin/host'
import { sharePostgres } from '@sibyl/storage/testing'
import { testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { type StorageRecord, storageRecord } from './status-records.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const operatorToken = 'operator-token-for-tests'

const oracleOn = (DATABASE_URL: string) =>
  testApp({ plugins: [], env: { DATABASE_URL, ORACLE_OPERATOR_TOKEN: operatorToken }, logger: silentLogger })

type Oracle = Awaited<ReturnType<typeof oracleOn>>

const measured = async ({ app }: Oracle): Promise<StorageRecord> => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  for (;;) {
    const response = await app.request('/operator/storage', { headers })
    expect(response.status).toBe(200)
    const record = storageRecord.strict().parse(await response.json())
    if (!record.isMeasuring) return record
  }
}

const messagesIn = ({ usage }: StorageRecord) => usage?.tables.find(({ name }) => name === 'core_messages')

test('measures the tables of a SQLite file while turns run, and shows the result for 10 minutes', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sibyl-usage-')), 'sibyl.db')
  await using oracle = await oracleOn(pathToFileURL(file).href)
  const [record] = await Promise.all([measured(oracle), oracle.chat('Good morning')])
  const sizes = record.usage?.tables.map(({ bytes }) => bytes) ?? []
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
  expect(record.usage).toMatchObject({ engine: 'sqlite', bytes: expect.any(Number), freeBytes: expect.any(Number) })
  await oracle.chat('Good evening')
  expect(await measured(oracle)).toEqual(record)
})

test.runIf(postgres)('measures the tables of PostgreSQL over the connections of the oracle', async () => {
  await using oracle = await oracleOn(await postgres!.createDatabase())
  await oracle.chat('Good morning')
  const record = await measured(oracle)
  expect(record.usage).toMatchObject({ engine: 'postgres' })
  expect(messagesIn(record)?.bytes).toBeGreaterThan(0)
})

test('an oracle without a file has no tables to measure', async () => {
  await using oracle = await oracleOn('memory:')
  expect((await measured(oracle)).usage).toEqual({ engine: 'sqlite', bytes: 0, tables: [] })
})

test('needs the right of an operator', async () => {
  await using oracle = await oracleOn('memory:')
  expect((await oracle.app.request('/operator/storage')).status).toBe(401)
  expect((await oracle.actor.request('/operator/storage')).status).toBe(403)
})
