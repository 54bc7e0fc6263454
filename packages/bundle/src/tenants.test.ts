/** @module-tag long */
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { openStorage, type Storage, sql } from '@sibyl/storage'
import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel, type TestActor, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { canary, canarySteps, ok, useAll } from './canary-person.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const key = createSigningKey()

const openTenant = async (database: string, schema: string) => {
  const operatorToken = `operator-token-of-the-${schema}-01`
  const { app } = await testApp({
    plugins: bundledPlugins(),
    adapters: bundledAdapters(),
    env: everythingOn(temporaryFolder(), {
      DATABASE_URL: `${database}&schema=${schema}`,
      ORACLE_ADAPTERS: 'openai,mcp-server,a2a,ag-ui',
      OAUTH: 'on',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      ORACLE_OPERATOR_TOKEN: operatorToken,
      ORACLE_CONTROLLERS: key.did,
      ORACLE_API_KEYS: `office:an-office-key-of-the-${schema}-01:*`,
      CREDITS_DEFAULT_GRANT: '1000',
      NODE_ENV: 'development',
    }),
    model: scriptedModel(schema === 'north' ? canarySteps() : []),
  })
  onTestFinished(() => app.close())
  return { app, ada: testActor(app, Date.now, key), operatorToken }
}

/** The rows with the canary of all tables of a schema, by table. */
const canaryRows = async ({ read }: Storage, schema: string): Promise<Readonly<Record<string, readonly string[]>>> => {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${schema}
    order by 1`.execute(read)
  const found: Record<string, readonly string[]> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`select r::text as row from ${sql.id(schema, name)} r
      where r::text like ${`%${canary}%`} order by 1`.execute(read)
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}

/** What the lists of a person contain: the ids with which another oracle's routes are tried. */
const idsOf = async (ada: TestActor): Promise<readonly string[]> => {
  const lists = ['/sessions', '/v1/entities', '/v1/collections', '/v1/claims', '/credentials', '/tasks', '/memory']
  const texts = await Promise.all(lists.map(async path => (await ada.request(path)).text()))
  const ids = texts.flatMap(text => [...text.matchAll(/"(?:id|did)":"([^"]+)"/g)].map(([, id = '']) => id))
  return [...new Set(['s1', ...ids])].filter(id => !id.includes(canary))
}

describe.skipIf(postgres === undefined)('two oracles of a process in schemas of one PostgreSQL', () => {
  test('have nothing of each other in any route or table, and accept no credential of the other', async () => {
    const database = await postgres!.createDatabase()
    const [north, south] = [await openTenant(database, 'north'), await openTenant(database, 'south')]
    const observer = await openStorage({ url: database })
    onTestFinished(() => observer.close())
    await useAll(north.ada, north.app.identity.did!)
    const before = await canaryRows(observer, 'north')
    expect(Object.keys(before).length).toBeGreaterThan(8)
    const ids = await idsOf(north.ada)
    expect(ids.length).toBeGreaterThan(6)

    const document = await (await south.app.request('/openapi.json')).json()
    const found: string[] = []
    let called = 0
    for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths)) {
      const paths = path.includes('{') ? ids.map(id => path.replace(/\{[^}]+\}/g, encodeURIComponent(id))) : [path]
      for (const method of Object.keys(methods).map(name => name.toUpperCase())) {
        for (const given of paths) {
          for (const token of [south.operatorToken, await south.ada.token()]) {
            const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'if-match': '*' }
            const body = ['GET', 'DELETE'].includes(method) ? {} : { body: '{}' }
            const answer = await south.app.request(given, { method, headers, ...body })
            called++
            if (answer.headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
            else if ((await answer.text()).includes(canary)) found.push(`${method} ${given}`)
          }
        }
      }
    }
    expect(found).toEqual([])
    expect(called).toBeGreaterThan(500)
    expect(await canaryRows(observer, 'south')).toEqual({})
    expect(await canaryRows(observer, 'north')).toEqual(before)
    expect(await ok(north.ada.request('/sessions'))).toHaveProperty('sessions')

    const foreign = [await north.ada.token(), north.operatorToken, 'an-office-key-of-the-north-01']
    for (const token of foreign) {
      const answer = await south.app.request('/sessions', { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(401)
    }
  })
})
