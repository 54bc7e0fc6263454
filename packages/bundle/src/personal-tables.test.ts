import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { bundledPlugins } from './bundled-plugins.ts'

const page = readFileSync(new URL('../../../docs/guide/personal-data.md', import.meta.url), 'utf8')

/** The rows of a table of the page, under a heading, each as its cells. */
const rowsUnder = (heading: string): string[][] => {
  const section = page.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? ''
  return [...section.matchAll(/^\| `(.*) \|$/gm)].map(([, row = '']) => `\`${row}`.split('|').map(cell => cell.trim()))
}

const nameOf = ([cell = '']: string[]): string => cell.replaceAll('`', '')

const personal = rowsUnder('With personal data')
const impersonal = rowsUnder('Without personal data')

/** What columns are called that hold a DID, a phone, or stand for a person. */
const personalColumn =
  /(^|_)(did|phone|person|owner|caller|subject|controller|submitter|sender|party|actor|by|cause|who|profile|mark|user_id|from_node|issuer)(_|$)/

/** Columns of tables without personal data that are called like that. */
const innocent: Readonly<Record<string, string>> = {
  'core_keys.did': "the oracle's own",
  'entities_protocols.did': "the protocol's own",
  'files_store.mark': 'names the folder of the database',
  'matrix_accounts.user_id': "the oracle's own",
  'matrix_devices.user_id': "the oracle's own",
  'sibyl_migrations.owner': "a plugin's name",
}

/** What full-text indexes are made of inside SQLite. */
const shadow = /^entities_(search|terms)_(config|data|docsize|idx|content)$/

/** The tables of an oracle with all plugins, with their columns. */
const readTables = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const folder = temporaryFolder()
  const file = join(folder, 'oracle.db')
  const plugins = bundledPlugins()
  const env = everythingOn(folder, { DATABASE_URL: `file:${file}` })
  const adapters = bundledAdapters()
  const { app } = await testApp({ plugins, adapters, env })
  expect(app.plugins().filter(({ state }) => state !== 'excluded')).toHaveLength(
    16 + adapters.filter(({ isPartOfCore }) => !isPartOfCore).length,
  )
  await app.close()
  const database = new DatabaseSync(file, { readOnly: true })
  const list = (query: string, ...values: string[]): string[] =>
    database
      .prepare(query)
      .all(...values)
      .map(({ name }) => String(name))
  const names = list(`select name from sqlite_master where type = 'table'`)
  const own = names.filter(name => !shadow.test(name) && !name.startsWith('sqlite_'))
  const tables = new Map(own.map(name => [name, list('select name from pragma_table_info(?)', name)]))
  database.close()
  return tables
}

test('every table of an oracle with all plugins has a rule for personal data', async () => {
  const tables = await readTables()
  const ruled = [...personal, ...impersonal].map(nameOf)
  expect(ruled.toSorted(), 'docs/guide/personal-data.md').toEqual([...tables.keys()].toSorted())
  const named = impersonal.flatMap(row => {
    const columns = tables.get(nameOf(row)) ?? []
    return columns.filter(column => personalColumn.test(column)).map(column => `${nameOf(row)}.${column}`)
  })
  expect(named.toSorted(), 'columns of a DID or a phone').toEqual(Object.keys(innocent).toSorted())
})

test('a rule says what is stored, how long, and what an erasure does', () => {
  for (const row of personal) {
    const cells = row.slice(0, 4)
    expect(
      cells.every(cell => cell.length > 1),
      nameOf(row),
    ).toBe(true)
  }
  for (const [table = '', why = ''] of impersonal) expect(why.length, table).toBeGreaterThan(5)
})
