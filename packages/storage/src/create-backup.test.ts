import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, expect, test } from 'vitest'
import { checkBackup } from './check-backup.ts'
import { createBackup } from './create-backup.ts'
import type { Migrations } from './migrations/migrations.ts'
import { restoreBackup } from './restore-backup.ts'
import { openRestoreWatch } from './restores/open-restore-watch.ts'
import { sql } from './sql/kysely.ts'
import { createTables } from './tables/create-tables.ts'
import { defineTable } from './tables/define-table.ts'
import type { TablesOf } from './tables/table.ts'
import { column } from './tables/table-column.ts'
import { onEachEngine, type TestEngine } from './testing/each-engine.test.helper.ts'

const notes = defineTable('keep_notes', { id: column.serial(), text: column.text(), at: column.timestamp() })
const contents = defineTable('keep_contents', {
  path: column.text().primaryKey(),
  bytes: column.integer(),
  sha256: column.text(),
})
type Tables = TablesOf<[typeof notes, typeof contents]>
const migrations: Migrations = { '0100-base': createTables([notes, contents]) }

const root = mkdtempSync(join(tmpdir(), 'sibyl-backup-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const newFolder = () => join(root, String(++count))

const ownersWith = (directory: string) => [
  {
    name: 'core',
    migrations,
    files: {
      directory,
      async *list({ read }: { readonly read: unknown }) {
        yield* await (read as import('kysely').Kysely<Tables>).selectFrom('keep_contents').selectAll().execute()
      },
    },
  },
]

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** An oracle's database with notes and one content, and a watch that has marked it. */
const usedOracle = async (engine: TestEngine) => {
  const [url, directory] = [await engine.emptyDatabase(), newFolder()]
  const storage = await engine.open<Tables>({ url })
  await storage.migrate('core', migrations)
  const addNotes = (some: number) =>
    storage.write(tx =>
      tx
        .insertInto('keep_notes')
        .values(Array.from({ length: some }, (_, at) => ({ text: `note ${at}`, at })))
        .execute(),
    )
  const addContent = async (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
    await storage.write(tx =>
      tx
        .insertInto('keep_contents')
        .values({ path, bytes: text.length, sha256: sha256(text) })
        .execute(),
    )
  }
  await addNotes(1_200)
  await addContent('store-1/abc/one', 'First content')
  const watch = await openRestoreWatch({ storage })
  await watch.check()
  return { url, directory, storage, watch, addNotes, addContent, owners: ownersWith(directory) }
}

const allNotes = (storage: { readonly read: import('kysely').Kysely<Tables> }) =>
  storage.read.selectFrom('keep_notes').selectAll().orderBy('id').execute()

await onEachEngine('createBackup', engine => {
  const backUp = async (oracle: Awaited<ReturnType<typeof usedOracle>>, folder: string, recipient?: string) => {
    const { url, owners } = oracle
    return createBackup({ url, folder, owners, version: '1.0.0', recipient })
  }

  test('copies database and files while rows are written, and restores them into an empty place', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    let isDone = false
    const writing = (async () => {
      while (!isDone) await oracle.addNotes(3)
    })()
    const made = await backUp(oracle, folder)
    isDone = true
    await writing
    expect(made).toMatchObject({ engine: engine.name, files: { count: 1, copied: 1, deleted: 0 }, problems: [] })
    expect(readdirSync(folder).sort()).toEqual([made.name, 'backup.lock', 'files'])
    expect(statSync(join(folder, made.name)).mode & 0o077).toBe(0)
    expect(statSync(join(folder, made.name, 'database.db')).mode & 0o077).toBe(0)

    const directory = newFolder()
    const owners = ownersWith(directory)
    expect(await checkBackup({ folder, owners })).toMatchObject({ name: made.name, opened: true, problems: [] })
    const url = await engine.emptyDatabase()
    const restored = await restoreBackup({ url, folder, owners })
    expect(restored).toMatchObject({ name: made.name, rows: made.rows, files: { count: 1, copied: 1 }, problems: [] })
    expect(readFileSync(join(directory, 'store-1/abc/one'), 'utf8')).toBe('First content')

    const storage = await engine.open<Tables>({ url })
    await storage.migrate('core', migrations)
    const [kept, all] = [await allNotes(storage), await allNotes(oracle.storage)]
    expect(kept.length).toBeGreaterThanOrEqual(1_200)
    expect(kept).toEqual(all.slice(0, kept.length))
    expect((kept.length - 1_200) % 3).toBe(0)
    await storage.write(tx => tx.insertInto('keep_notes').values({ text: 'next', at: 0 }).execute())
    const ids = (await allNotes(storage)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(kept.length + 1)
    const watch = await openRestoreWatch({ storage })
    expect(await watch.check()).toBe(true)
    expect(await watch.check()).toBe(false)

    const other = `file:${join(root, `other-${engine.name}.db`)}`
    expect(await restoreBackup({ url: other, folder, owners })).toMatchObject({ files: { copied: 0 }, problems: [] })
    expect(await allNotes(await engine.open<Tables>({ url: other }))).toEqual(kept)
  })

  test('adds a dated copy and only new files at the second run', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    const first = await backUp(oracle, folder)
    await oracle.addContent('store-1/abc/two', 'Second content')
    const second = await backUp(oracle, folder)
    expect(second).toMatchObject({ files: { count: 2, copied: 1 }, rows: first.rows + 1 })
    const { owners } = oracle
    expect(await checkBackup({ folder, owners })).toMatchObject({ name: second.name, files: 2, problems: [] })
    expect(await checkBackup({ folder, owners, at: first.name })).toMatchObject({ files: 1, problems: [] })
  })

  test('removes the files of deleted backups that no other lists', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    await oracle.addContent('store-1/abc/two', 'Second content')
    const first = await backUp(oracle, folder)
    await oracle.storage.write(tx => tx.deleteFrom('keep_contents').where('path', 'like', '%two').execute())
    const second = await backUp(oracle, folder)
    expect(second.files).toMatchObject({ count: 1, removed: 0 })
    const kept = () => readdirSync(join(folder, 'files/store-1/abc'))
    expect(kept()).toEqual(['one', 'two'])
    rmSync(join(folder, first.name), { recursive: true })
    writeFileSync(join(folder, second.name, 'files.ndjson'), 'damaged')
    expect((await backUp(oracle, folder)).files).toMatchObject({ removed: 0 })
    rmSync(join(folder, second.name), { recursive: true })
    expect((await backUp(oracle, folder)).files).toMatchObject({ count: 1, removed: 1 })
    expect(kept()).toEqual(['one'])
  })

  test('names files that are lost or altered', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    await oracle.addContent('store-1/abc/altered', 'Some content')
    writeFileSync(join(oracle.directory, 'store-1/abc/altered'), 'Sane content')
    rmSync(join(oracle.directory, 'store-1/abc/one'))
    const made = await backUp(oracle, folder)
    expect(made.problems.toSorted()).toEqual([
      'store-1/abc/altered differs from its digest in the database.',
      'store-1/abc/one is missing.',
    ])
    const { problems } = await checkBackup({ folder, owners: oracle.owners })
    expect(problems.toSorted()).toEqual([
      'The file store-1/abc/altered was missing or altered when the backup was made.',
      'The file store-1/abc/one was missing or altered when the backup was made.',
    ])
  })

  test('leaves out a file that is deleted while it backs up', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    const [{ files, ...owner }] = oracle.owners as [(typeof oracle.owners)[number]]
    const deleting = {
      ...files,
      async *list(storage: { readonly read: unknown }) {
        yield* files.list(storage)
        await oracle.storage.write(tx => tx.deleteFrom('keep_contents').execute())
        rmSync(join(oracle.directory, 'store-1'), { recursive: true, force: true })
      },
    }
    const { url } = oracle
    const made = await createBackup({ url, folder, owners: [{ ...owner, files: deleting }], version: '1.0.0' })
    expect(made).toMatchObject({ files: { count: 0, deleted: 1 }, problems: [] })
    expect(await checkBackup({ folder, owners: oracle.owners })).toMatchObject({ problems: [] })
    const target = { url: await engine.emptyDatabase(), owners: ownersWith(newFolder()) }
    expect(await restoreBackup({ folder, ...target })).toMatchObject({ files: { copied: 0 }, problems: [] })
  })

  test('encrypts for a recipient of age, and restores with its identity alone', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    await expect(backUp(oracle, folder, 'age1wrong')).rejects.toMatchObject({ code: 'backup_refused' })
    const first = await backUp(oracle, folder, recipient)
    const second = await backUp(oracle, folder, recipient)
    expect([first, second]).toMatchObject([{ files: { copied: 1 } }, { files: { count: 1, copied: 0 } }])
    const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    for (const { parentPath, name } of stored) {
      const text = readFileSync(join(parentPath, name), 'latin1')
      expect(text).not.toMatch(/First content|note 1|store-1/)
    }
    const { owners } = oracle
    expect(await checkBackup({ folder, owners })).toMatchObject({ opened: false, problems: [] })
    expect(await checkBackup({ folder, owners, identity })).toMatchObject({ opened: true, problems: [] })
    const url = await engine.emptyDatabase()
    const target = { url, folder, owners: ownersWith(newFolder()) }
    const wrong = await generateX25519Identity()
    for (const given of [undefined, 'no key', wrong])
      await expect(restoreBackup({ ...target, identity: given })).rejects.toMatchObject({ code: 'backup_refused' })
    const restored = await restoreBackup({ ...target, identity: `# a comment\n${identity}\n` })
    expect(restored).toMatchObject({ name: second.name, files: { copied: 1 } })
    const storage = await engine.open<Tables>({ url })
    expect(await allNotes(storage)).toEqual(await allNotes(oracle.storage))
  })

  test('rejects a database that names a file outside of its folder', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    await oracle.storage.write(tx =>
      tx
        .insertInto('keep_contents')
        .values({ path: '../../outside', bytes: 0, sha256: sha256('') })
        .execute(),
    )
    await expect(backUp(oracle, folder)).rejects.toMatchObject({ code: 'backup_damaged' })
    expect(readdirSync(folder).sort()).toEqual(['backup.lock', 'files'])
  })

  test('refuses a restore over a database that is open or has tables, and keeps a replaced one', async () => {
    const oracle = await usedOracle(engine)
    const folder = newFolder()
    const { url, owners, storage } = oracle
    await backUp(oracle, folder)
    const target = { url, folder, owners }
    const runs = { code: 'backup_refused', message: expect.stringContaining('The oracle runs on') }
    await expect(restoreBackup({ ...target, replace: true })).rejects.toMatchObject(runs)
    await oracle.addNotes(5)
    await storage.close()
    const occupied = { code: 'backup_refused', message: expect.stringContaining('--replace') }
    await expect(restoreBackup(target)).rejects.toMatchObject(occupied)
    const { replaced } = await restoreBackup({ ...target, replace: true })
    const again = await engine.open<Tables>({ url })
    expect(await allNotes(again)).toHaveLength(1_200)
    expect(await (await openRestoreWatch({ storage: again })).check()).toBe(true)
    if (engine.name === 'postgres') {
      const rows = await sql<{ count: number }>`select count(*) from ${sql.table(`${replaced}.keep_notes`)}`.execute(
        again.read,
      )
      expect(rows.rows).toEqual([{ count: 1_205 }])
    } else {
      const old = join(dirname(new URL(url).pathname), replaced!)
      expect(existsSync(old)).toBe(true)
      expect(await allNotes(await engine.open<Tables>({ url: `file:${old}` }))).toHaveLength(1_205)
    }
  })
})
