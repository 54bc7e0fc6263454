import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Table, tableViolations } from '@sibyl/plugin'
import { openStorage, sql } from '@sibyl/storage'
import { onEachEngine, type TestEngine } from '@sibyl/storage/testing/engines'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { readSchema } from './read-schema.test.support.ts'

const plugins = bundledPlugins()
const adapters = bundledAdapters()

/** Boots an oracle with all plugins on a database, and closes it. */
const boot = async (url: string): Promise<void> => {
  const folder = temporaryFolder()
  const clock = { now: () => Date.parse('2026-11-24T12:10:00Z') }
  const { app } = await testApp({ plugins, adapters, clock, env: everythingOn(folder, { DATABASE_URL: url }) })
  await app.close()
}

/** Returns a database as a version of that day wrote it. */
const databaseOf = async (day: string, engine: TestEngine): Promise<string> => {
  const read = (file: string) => gunzipSync(readFileSync(join(import.meta.dirname, '../fixtures', day, file)))
  const url = await engine.emptyDatabase()
  if (engine.name === 'sqlite') writeFileSync(new URL(url), read('sibyl.db.gz'))
  else {
    const storage = await openStorage({ url })
    const statements = `set local check_function_bodies = off;\n${read('postgres.sql.gz')}`
    await storage.write(tx => sql.raw(statements).execute(tx))
    await storage.close()
  }
  return url
}

/** Tables with rows that a start without requests does not change; a due task may add some. */
const keptTables = [
  'core_messages',
  'core_turns',
  'core_tool_calls',
  'entities_entities',
  'entities_events',
  'claims_claims',
  'claims_transitions',
  'credentials_credentials',
  'credits_transactions',
  'memory_facts',
  'sms_messages',
  'tasks_people',
  'ussd_customers',
]

const keptRows = async (url: string): Promise<readonly object[][]> => {
  const storage = await openStorage({ url })
  const rows = await Promise.all(
    keptTables.map(async table => (await sql<object>`select * from ${sql.ref(table)}`.execute(storage.read)).rows),
  )
  await storage.close()
  // A job of the start deletes such texts.
  return rows.map(ofTable => ofTable.map(row => ('sensitive' in row && row.sensitive ? { ...row, text: '' } : row)))
}

await onEachEngine('the database of an oracle with all plugins', engine => {
  test('has the tables that plugins define', async () => {
    const url = await engine.emptyDatabase()
    await boot(url)
    const tables = [...plugins, ...adapters].flatMap(({ migrations }) =>
      Object.values(migrations).flatMap(migration => ('tables' in migration ? (migration.tables as Table[]) : [])),
    )
    expect(tables.length).toBeGreaterThan(60)
    // The column has a type that only PostgreSQL has.
    const undefinedColumns = engine.name === 'postgres' ? ['entities_listing.terms is not defined.'] : []
    expect(await tableViolations(await engine.open({ url }), tables)).toEqual(undefinedColumns)
  })

  test.each(['2026-11-24', '2026-11-29'])(
    'has its rows and the schema of a new one after an upgrade from %s',
    async day => {
      const [fresh, upgraded] = [await engine.emptyDatabase(), await databaseOf(day, engine)]
      const rows = await keptRows(upgraded)
      expect(rows.every(({ length }) => length > 0)).toBe(true)
      await boot(fresh)
      await boot(upgraded)
      expect(await keptRows(upgraded)).toEqual(
        rows.map(ofTable => expect.arrayContaining(ofTable.map(row => expect.objectContaining(row)))),
      )
      expect(await readSchema(upgraded, engine.name)).toEqual(await readSchema(fresh, engine.name))
    },
  )
})
