import { hasPgbouncer, startPgbouncer, startPostgres } from '@sibyl/storage/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { contextOf } from '../doctor-context.test.helper.ts'
import { checkDatabase } from './database-check.ts'

const postgres = (await hasPgbouncer()) ? await startPostgres() : undefined
afterAll(() => postgres?.stop())

describe.runIf(postgres !== undefined)('PostgreSQL behind PgBouncer', () => {
  const findingWith = async (poolMode: string, env = (_direct: string): Record<string, string> => ({})) => {
    const direct = await postgres!.createDatabase()
    const pooler = await startPgbouncer(direct, [`pool_mode = ${poolMode}`])
    onTestFinished(() => pooler.stop())
    const [finding] = await checkDatabase(
      await contextOf({ env: { DATABASE_URL: pooler.urlOf(direct), ...env(direct) } }),
    )
    return finding
  }

  test('may pool sessions', async () => {
    expect(await findingWith('session')).toMatchObject({ check: 'database', state: 'ok' })
  })

  test('may pool transactions if one connection is direct', async () => {
    const finding = await findingWith('transaction', direct => ({ DATABASE_DIRECT_URL: direct }))
    expect(finding).toMatchObject({ check: 'database', state: 'ok' })
  })

  test('may not pool transactions otherwise', async () => {
    expect(await findingWith('transaction')).toEqual({
      group: 'Services',
      check: 'database',
      state: 'fail',
      message: expect.stringMatching(/^The connection pooler at localhost:6432 shares PostgreSQL sessions/),
      fix: expect.stringContaining('pool_mode = session'),
    })
  })
})
