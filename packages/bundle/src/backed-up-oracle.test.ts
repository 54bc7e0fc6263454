/** @module-tag long */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TaskReport, taskReport } from '@sibyl/core/records'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { recordedLogger } from '@sibyl/plugin/testing'
import { sharePostgres } from '@sibyl/storage/testing'
import { testActor, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { startOracle } from './oracle-process.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const ok = async (response: Response | Promise<Response>) => {
  const answer = await response
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return text.startsWith('{') ? JSON.parse(text) : text
}

/** All rows of a SQLite file by table, without the marks of the copy and times of migrations. */
const rowsOf = (path: string): Record<string, string[]> => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database
      .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not in ('sibyl_copy', 'sibyl_migrations') order by name`)
      .all()
    return Object.fromEntries(
      tables.map(({ name }) => {
        const statement = database.prepare(`select * from "${name}"`)
        statement.setReadBigInts(true)
        const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)
        return [
          name,
          statement
            .all()
            .map(row => JSON.stringify(row, text))
            .sort(),
        ]
      }),
    )
  } finally {
    database.close()
  }
}

const backUp = async (engine: 'sqlite' | 'postgres') => {
  const folder = temporaryFolder()
  const newUrl = async (name: string) =>
    engine === 'postgres' ? postgres!.createDatabase() : `file:${join(folder, name)}`
  const key = createSigningKey()
  const env = everythingOn(folder, {
    DATABASE_URL: await newUrl('oracle.db'),
    FILES_DIR: join(folder, 'files'),
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    ORACLE_ACCESS: 'delegated',
    ORACLE_CONTROLLERS: key.did,
    PUBLIC_URL: 'http://oracle.example',
  })
  const log = recordedLogger()
  let now = () => Date.now()
  const boot = (more: Record<string, string> = {}) =>
    testApp({ plugins: bundledPlugins(), env: { ...env, ...more }, logger: log, clock: { now: () => now() } })
  const run = async <Name extends string>(name: Name, task: object, more: Record<string, string> = {}) => {
    const child = startOracle(folder, { ...env, ...more, SIBYL_INSPECT: '3', SIBYL_TASK: JSON.stringify(task) })
    const { inspection, stderr } = await child.ended
    const report = taskReport.parse(JSON.parse(inspection.trim().split('\n').at(-1) || `"${stderr}"`))
    expect(report).toHaveProperty(name)
    return (report as Record<string, unknown>)[name] as Extract<TaskReport, Record<Name, unknown>>[Name]
  }

  const first = await boot()
  const ada = testActor(first.app, Date.now, key)
  const stove = { type: 'CookStove', properties: { name: 'Blue stove', latitude: -1.3, longitude: 36.8 } }
  const twin = await ok(ada.request('/v1/entities', { json: stove }))
  const subject = { id: ada.did, note: 'owner' }
  const issue = (actor: typeof ada, name: string) =>
    ok(
      actor.request('/credentials/issue', {
        json: { type: 'NoteCredential', subject },
        headers: { 'idempotency-key': name },
      }),
    )
  const issued = await issue(ada, 'one')
  const content = 'The stove was visited on Monday.'
  const path = '/files/content?path=visits/monday.md'
  await ok(ada.request(path, { method: 'PUT', body: content, headers: { 'content-type': 'text/markdown' } }))
  const bearer = (await ok(ada.request('/auth/token', { json: { scopes: ['session/read'] } }))).token

  let isDone = false
  let turns = 0
  const answering = (async () => {
    while (!isDone) {
      await ok(ada.request('/chat', { json: { id: `s${turns % 3}`, message: `Good morning ${turns}` } }))
      turns += 1
    }
  })()
  const kept = join(folder, 'kept')
  const backup = await run('backup', { task: 'backup', folder: kept, leaveUnknown: false })
  isDone = true
  await answering
  expect(turns).toBeGreaterThan(0)
  expect(backup).toMatchObject({ engine, files: { copied: backup.files.count, deleted: 0 }, problems: [] })
  const spent = await ada.token()
  const chatWith = ({ app }: typeof first, token: string) =>
    app.request('/chat', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"message":"Hi"}',
    })
  await ok(chatWith(first, spent))
  await first.app.close()

  const given = { folder: kept, replace: false, leaveDamaged: false }
  const verified = await run('verified', { task: 'verify', ...given })
  expect(verified).toMatchObject({ opened: true, rows: backup.rows, problems: [] })
  const target = { DATABASE_URL: await newUrl('restored.db'), FILES_DIR: join(folder, 'restored-files') }
  const restored = await run('restored', { task: 'restore', ...given }, target)
  expect(restored).toMatchObject({ rows: backup.rows, files: { copied: backup.files.count }, problems: [] })

  const again = join(folder, 'again')
  const second = await run('backup', { task: 'backup', folder: again, leaveUnknown: false }, target)
  const [before, after] = [backup, second].map(({ name }, index) =>
    rowsOf(join(index === 0 ? kept : again, name, 'database.db')),
  )
  expect(Object.keys(before!).length).toBeGreaterThan(50)
  expect(after).toEqual(before)

  const oracle = await boot(target)
  expect(log.lines.some(({ message }) => message.includes('restored from a backup'))).toBe(true)
  expect((await (await chatWith(oracle, spent)).json()).code).toBe('ucan_before_restore')
  const asBearer = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${bearer}` } })
  expect((await asBearer.json()).code).toBe('bearer_invalid')
  now = () => Date.now() + 180_000
  const back = testActor(oracle.app, () => now(), key)
  expect((await ok(back.request('/sessions'))).sessions.length).toBeGreaterThan(0)
  expect(await ok(back.request(path))).toBe(content)
  expect(await ok(back.request(`/v1/entities/${encodeURIComponent(twin.did)}/proof`))).toMatchObject({
    verified: true,
  })
  expect((await ok(back.request('/v1/search?q=blue'))).hits).toMatchObject([{ did: twin.did }])
  const verify = { method: 'POST', json: { credential: issued.credential } }
  expect(await ok(back.request('/credentials/verify', verify))).toMatchObject({ verified: true })
  const listOf = ({ credential }: Awaited<ReturnType<typeof issue>>) => JSON.stringify(credential.credentialStatus)
  expect(listOf(await issue(back, 'one'))).toBe(listOf(issued))
  const place = /[a-z0-9]{16}(?=-revocation)/
  expect(place.exec(listOf(await issue(back, 'two')))?.[0]).not.toBe(place.exec(listOf(issued))![0])
  await oracle.app.close()
}

test('an oracle on SQLite is backed up while it answers, and restored', () => backUp('sqlite'))

test.skipIf(postgres === undefined)(
  'an oracle on PostgreSQL is backed up while it answers, and restored',
  { tags: 'long' },
  () => backUp('postgres'),
)

test('the check of a backup names broken histories, ledgers and places of status lists', { tags: 'long' }, async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'oracle.db')
  const key = createSigningKey()
  const env = everythingOn(folder, {
    DATABASE_URL: `file:${file}`,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    ORACLE_CONTROLLERS: key.did,
    ORACLE_ACCESS: 'delegated',
  })
  const oracle = await testApp({ plugins: bundledPlugins(), env: { ...env, CREDITS_DEFAULT_GRANT: '1000' } })
  const ada = testActor(oracle.app, Date.now, key)
  const twin = await ok(
    ada.request('/v1/entities', { json: { type: 'CookStove', properties: { name: 'Blue stove' } } }),
  )
  const headers = { 'idempotency-key': 'one' }
  const subject = { id: ada.did, note: 'owner' }
  const { id } = (await ok(ada.request('/credentials/issue', { json: { type: 'NoteCredential', subject }, headers })))
    .credential
  await ok(ada.request('/chat', { json: { message: 'Good morning' } }))
  await oracle.app.close()
  const database = new DatabaseSync(file)
  database.exec(`update entities_events set by = 'did:example:other'; update credits_people set available = available + 1;
    update credentials_entries set credential_id = null`)
  database.close()
  const tasks = [
    { task: 'backup', folder: join(folder, 'kept'), leaveUnknown: false },
    { task: 'verify', folder: join(folder, 'kept'), replace: false, leaveDamaged: false },
  ]
  let inspection = ''
  for (const task of tasks) {
    const child = startOracle(folder, { ...env, SIBYL_INSPECT: '3', SIBYL_TASK: JSON.stringify(task) })
    inspection = (await child.ended).inspection
  }
  const { verified } = JSON.parse(inspection.trim().split('\n').at(-1)!)
  expect(verified.problems.toSorted()).toEqual([
    expect.stringMatching(/^The balance of the user \d+ in credits_people is not the sum of the ledger/),
    `The credential ${id} does not have its place in the status list.`,
    expect.stringContaining(`The history of ${twin.did} is invalid at version 1`),
  ])
})
