// Boots the oracle on a filled database, sends each hot request once, and prints how the database finds what it asked for.
import { DatabaseSync } from 'node:sqlite'
import { createOracleApp } from '@sibyl/core'
import { entities } from '@sibyl/plugin-entities'
import pg from 'pg'
import { apiKey } from './entity-settings.ts'
import { hotRequests } from './hot-requests.ts'

const url = process.env.DATABASE_URL ?? ''
const isSqlite = url.startsWith('file:')
let asked = new Map<string, readonly unknown[]>()

/** Notes what is sent to SQLite; statements are kept, so each is noted once. */
const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function noted(sql) {
  asked.set(sql, [])
  return prepare.call(this, sql)
}

/** Notes what is sent to PostgreSQL. */
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
pg.Client.prototype.query = function noted(this: pg.Client, ...given: unknown[]) {
  const config = given[0] as { text?: string; values?: readonly unknown[] }
  if (typeof config?.text === 'string') asked.set(config.text, config.values ?? [])
  return query.apply(this, given)
} as never

const app = await createOracleApp({ config: { name: 'Plans' }, plugins: [entities()] })
const get = async (path: string) => {
  const response = await app.request(path, { headers: { authorization: `Bearer ${apiKey}` } })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}
const { entities: newest } = (await get('/v1/entities?limit=200')) as { entities: { did: string }[] }
const did = encodeURIComponent(newest.at(-1)?.did ?? '')
const statements = new Map<string, { readonly names: string[]; readonly values: readonly unknown[] }>()
const take = (name: string) => {
  for (const [text, values] of asked) {
    if (!/entities_/.test(text) || !/^\s*(?:select|with)/i.test(text)) continue
    const known = statements.get(text)
    if (known) known.names.push(name)
    else statements.set(text, { names: [name], values })
  }
  asked = new Map()
}
take('a page of 200')
for (const [name, path] of Object.entries(hotRequests)) {
  await get(path.replace('{did}', did))
  take(name)
}
await app.close()

const explain = async (text: string, values: readonly unknown[]): Promise<readonly string[]> => {
  if (isSqlite) {
    const database = new DatabaseSync(url.slice('file:'.length), { readOnly: true })
    const steps = prepare.call(database, `explain query plan ${text}`).all()
    database.close()
    return steps.map(({ detail }) => String(detail))
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text: `explain (analyze, costs off, timing off) ${text}`, values: [...values] })
  await client.end()
  return rows.map(row => String(row['QUERY PLAN']))
}

/** The tables that grow with the entities. */
const large = '(?:entities|events|listing|edges|terms|search)'
const fullScan = isSqlite
  ? new RegExp(`SCAN (?:entity|edge|listing|entities_${large})\\b(?! VIRTUAL)`)
  : new RegExp(`Seq Scan on entities_${large}\\b`)
let scans = 0
for (const [text, { names, values }] of statements) {
  const steps = await explain(text, values)
  const scan = steps.some(step => fullScan.test(step))
  if (scan) scans += 1
  console.log(`\n  ${names.join(', ')}${scan ? '   A FULL SCAN' : ''}`)
  console.log(`    ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 400)}`)
  for (const step of steps) console.log(`      ${step}`)
}
console.log(`\n  ${statements.size} statements, ${scans} of them with a full scan`)
