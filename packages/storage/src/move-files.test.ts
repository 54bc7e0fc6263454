import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createBackup } from './create-backup.ts'
import { moveFiles } from './move-files.ts'
import type { MoveOwner } from './move-storage.ts'
import { objectLocation } from './objects/object-location.ts'
import { openStorage } from './open-storage.ts'
import { restoreBackup } from './restore-backup.ts'
import { startObjectStore } from './testing/object-store.test.helper.ts'

const contents = ['store/a/one', 'store/a/two', 'store/b/three', 'store/.folder-0123456789abcdef'].map(
  (path, index) => ({
    path,
    content: index === 3 ? Buffer.alloc(0) : randomBytes(50_000),
  }),
)

const ownerAt = (files: Pick<NonNullable<MoveOwner['files']>, 'directory' | 'objects'>): MoveOwner => ({
  name: 'core',
  migrations: {
    '0100-base': async (db, column) => {
      await db.schema.createTable('keep_notes').addColumn('text', column.text).execute()
    },
  },
  files: {
    ...files,
    async *list() {
      for (const { path, content } of contents)
        yield { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    },
  },
})

/** A database whose files are in a folder, and an object store. */
const used = async () => {
  const root = mkdtempSync(join(tmpdir(), 'sibyl-move-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directory = join(root, 'files')
  for (const { path, content } of contents) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  const url = pathToFileURL(join(root, 'sibyl.db')).href
  const owner = ownerAt({ directory })
  const storage = await openStorage({ url })
  await storage.migrate('core', owner.migrations)
  await storage.close()
  const peer = await startObjectStore()
  const objects = objectLocation('s3://oracle/moved', peer.env)
  return { root, url, owner, directory, peer, objects }
}

const everything = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
    .sort()

test('moves files to an object store and back, and continues after an interruption', async () => {
  const { root, url, owner, peer, objects } = await used()
  const to = { directory: '', objects }
  let puts = 0
  peer.interfere = ({ method }) => {
    if (method === 'PUT') puts += 1
    return puts > 2 && method === 'PUT' ? { status: 403, code: 'QuotaExceeded' } : undefined
  }
  await expect(moveFiles({ url, owners: [owner], to })).rejects.toMatchObject({ code: 'object_store_full' })
  peer.interfere = undefined
  expect(await moveFiles({ url, owners: [owner], to })).toEqual({ count: 4, copied: 2, problems: [] })
  expect(await peer.keys()).toEqual(contents.map(({ path }) => `moved/${path}`).sort())
  const [first] = contents
  await peer.put(`moved/${first!.path}`, 'altered')
  expect(await moveFiles({ url, owners: [owner], to })).toEqual({ count: 4, copied: 1, problems: [] })
  const back = join(root, 'back')
  const atObjects = ownerAt({ directory: '', objects })
  expect(await moveFiles({ url, owners: [atObjects], to: { directory: back } })).toEqual({
    count: 4,
    copied: 4,
    problems: [],
  })
  expect(everything(back)).toEqual(['.folder-0123456789abcdef', 'one', 'three', 'two'])
})

test('names files that are missing or altered before the move, and refuses the same place', async () => {
  const { url, owner, directory, objects } = await used()
  writeFileSync(join(directory, 'store/a/one'), 'altered')
  rmSync(join(directory, 'store/b/three'))
  expect(await moveFiles({ url, owners: [owner], to: { directory: '', objects } })).toEqual({
    ...{ count: 2, copied: 2 },
    problems: ['store/a/one differs from its digest in the database.', 'store/b/three is missing.'],
  })
  await expect(moveFiles({ url, owners: [owner], to: { directory } })).rejects.toMatchObject({ code: 'move_refused' })
})

test('a backup contains the files of an object store, and its restore writes them to one', async () => {
  const { root, url, owner, peer, objects } = await used()
  await moveFiles({ url, owners: [owner], to: { directory: '', objects } })
  const folder = join(root, 'kept')
  const owners = [ownerAt({ directory: '', objects })]
  expect(await createBackup({ url, owners, folder, version: '1' })).toMatchObject({
    files: { copied: 4 },
    problems: [],
  })
  const other = objectLocation('s3://oracle/restored', peer.env)
  const restored = await restoreBackup({
    ...{ url: pathToFileURL(join(root, 'restored.db')).href, folder },
    owners: [ownerAt({ directory: '', objects: other })],
  })
  expect(restored).toMatchObject({ files: { count: 4, copied: 4 }, problems: [] })
  expect((await peer.keys()).filter(key => key.startsWith('restored/'))).toHaveLength(4)
})
