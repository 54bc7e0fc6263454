import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { checkBackup } from '../check-backup.ts'
import { createBackup } from '../create-backup.ts'
import type { MoveOwner } from '../move-storage.ts'
import { objectLocation } from '../objects/object-location.ts'
import { restoreBackup } from '../restore-backup.ts'
import { sql } from '../sql/kysely.ts'
import { onEachEngine, type TestEngine } from '../testing/each-engine.test.helper.ts'
import { startObjectStore } from '../testing/object-store.test.helper.ts'

const root = mkdtempSync(join(tmpdir(), 'sibyl-place-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const newFolder = () => join(root, String(++count))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const folder = 's3://oracle/backups'

const ownerWith = (directory: string, names: readonly string[]): MoveOwner => ({
  name: 'core',
  migrations: {
    '0100-base': async (db, column) => {
      await db.schema.createTable('keep_notes').addColumn('text', column.text).execute()
    },
  },
  files: {
    directory,
    async *list() {
      for (const name of names) yield { path: `store/${name}`, bytes: name.length, sha256: sha256(name) }
    },
  },
})

const usedOracle = async (engine: TestEngine) => {
  const [peer, url, directory] = [await startObjectStore(), await engine.emptyDatabase(), newFolder()]
  const names: string[] = []
  const owners = [ownerWith(directory, names)]
  const storage = await engine.open({ url })
  await storage.migrate('core', owners[0]!.migrations)
  const addNote = (text: string) => storage.write(tx => sql`insert into keep_notes (text) values (${text})`.execute(tx))
  const addFile = (name: string) => {
    mkdirSync(join(directory, 'store'), { recursive: true })
    writeFileSync(join(directory, 'store', name), name)
    names.push(name)
  }
  await addNote('first note')
  addFile('one')
  const objects = objectLocation(folder, peer.env)
  const place = { folder, objects, owners }
  const backUp = (more: object = {}) => createBackup({ ...place, url, version: '1.0.0', ...more })
  return { peer, url, directory, names, place, addNote, addFile, backUp }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => error.code,
  )

await onEachEngine('backups in an object store', engine => {
  // Objects of 9 MB, whatever the engine.
  const tags = engine.name === 'postgres' ? 'long' : []

  test('are added, verified and restored, and those that were deleted lose their files', { tags }, async () => {
    const { peer, place, names, addNote, addFile, backUp } = await usedOracle(engine)
    const first = await backUp()
    expect(first).toMatchObject({ files: { count: 1, copied: 1 }, problems: [] })
    await addNote(randomBytes(4_500_000).toString('hex'))
    addFile('two')
    const second = await backUp()
    expect(second).toMatchObject({ files: { count: 2, copied: 1 }, rows: first.rows + 1 })
    expect(peer.requests.some(request => request.includes('partNumber=2'))).toBe(true)
    expect(await checkBackup(place)).toMatchObject({ name: second.name, opened: true, problems: [] })
    const [url, directory] = [await engine.emptyDatabase(), newFolder()]
    const restored = await restoreBackup({ ...place, url, owners: [ownerWith(directory, names)] })
    expect(restored).toMatchObject({ name: second.name, rows: second.rows, files: { copied: 2 }, problems: [] })
    expect(readFileSync(join(directory, 'store/two'), 'utf8')).toBe('two')

    names.splice(0, 1)
    const deleted = (await peer.keys()).filter(key => key.startsWith('backups/2'))
    expect((await backUp()).files).toMatchObject({ count: 1, removed: 0 })
    await peer.remove(deleted)
    expect((await backUp()).files).toMatchObject({ count: 1, removed: 1 })
    const left = (await peer.keys()).filter(key => key.includes('/files/'))
    expect(left).toEqual(['backups/files/store/two'])
  })

  test('are not changed by one that fails, and the next one removes what an interrupted one left', {
    tags,
  }, async () => {
    const { peer, place, addNote, backUp } = await usedOracle(engine)
    const first = await backUp()
    const before = await peer.keys()
    await addNote(randomBytes(4_500_000).toString('hex'))
    for (const [step, answer, code] of [
      ['partNumber=2', { status: 507, code: 'InsufficientStorage' }, 'object_store_full'],
      ['partNumber=2', 'hang up', 'object_store_unavailable'],
      ['manifest.json', { status: 403, code: 'QuotaExceeded' }, 'object_store_full'],
      ['', { status: 403, code: 'RequestTimeTooSkewed' }, 'object_store_clock'],
    ] as const) {
      peer.interfere = ({ method, url = '' }) =>
        step === '' || (method === 'PUT' && url.includes(step)) ? answer : undefined
      expect(await codeOf(backUp())).toBe(code)
      peer.interfere = undefined
      expect(await peer.keys()).toEqual(before)
    }
    const objects = objectLocation(folder, { ...peer.env, AWS_SECRET_ACCESS_KEY: 'very-secret' })
    const denied = await backUp({ objects }).catch(error => error)
    expect(denied).toMatchObject({ code: 'object_store_denied' })
    expect(denied.message).not.toContain('very-secret')
    expect(await codeOf(checkBackup({ ...place, objects }))).toBe('object_store_denied')
    const left = 'backups/2026-01-01T00-00-00.000Z/files.ndjson'
    await peer.put(left, '')
    await peer.put('backups/other/kept', '')
    await peer.beginUpload('backups/2026-01-01T00-00-00.000Z/database.db')
    await peer.beginUpload('backups/other/upload')
    expect(await checkBackup(place)).toMatchObject({ name: first.name, problems: [] })
    const second = await backUp()
    expect(await peer.keys()).toEqual(expect.not.arrayContaining([left]))
    expect(await peer.keys()).toContain('backups/other/kept')
    const aborted = peer.requests.filter(request => /^DELETE .*(database\.db|upload)\?uploadId/.test(request))
    expect(aborted).toHaveLength(2 + 1)
    expect(aborted.at(-1)).toContain('2026-01-01T00-00-00.000Z/database.db')
    expect(await checkBackup(place)).toMatchObject({ name: second.name, opened: true, problems: [] })
  })

  test('are encrypted, and report a content that was altered or deleted', async () => {
    const { peer, url, directory, place, addFile, backUp } = await usedOracle(engine)
    const identity = await generateX25519Identity()
    const recipient = await identityToRecipient(identity)
    addFile('two')
    const made = await backUp({ recipient })
    const work = engine.name === 'sqlite' ? join(new URL(url).pathname, '..') : tmpdir()
    expect(readdirSync(work).filter(name => /^\.sibyl-backup-.*(?<!lock)$/.test(name))).toEqual([])
    expect((await backUp({ recipient })).files).toMatchObject({ count: 2, copied: 0 })
    expect(await checkBackup({ ...place, identity })).toMatchObject({ opened: true, problems: [] })
    const [one = '', two = ''] = (await peer.keys()).filter(key => key.includes('/files/'))
    await peer.put(one, 'altered')
    await peer.remove([two])
    const { problems } = await checkBackup({ ...place, identity, at: made.name })
    expect(problems.join(' ')).toMatch(/^(?=.* has 7 bytes instead)(?=.* is missing)/)
    expect(problems).toHaveLength(2)
    const target = { ...place, url: await engine.emptyDatabase(), identity }
    rmSync(directory, { recursive: true })
    expect(await codeOf(restoreBackup(target))).toBe('backup_damaged')
    peer.interfere = ({ method, url = '' }) => (method === 'GET' && url.includes('.age') ? 'hang up' : undefined)
    expect(await codeOf(restoreBackup(target))).toBe('object_store_unavailable')
    peer.interfere = undefined
    expect(await restoreBackup({ ...target, leaveDamaged: true })).toMatchObject({
      problems: [expect.any(String), expect.any(String)],
    })
  })

  test('are made one at a time, also from two machines with one database', async () => {
    const { place, backUp } = await usedOracle(engine)
    const refused = { code: 'backup_refused', message: `Another backup writes to ${folder}. Wait until it is done.` }
    let second: Promise<unknown> | undefined
    const onProgress = () => {
      if (second) return
      if (engine.name === 'postgres') vi.stubEnv('TMPDIR', mkdtempSync(join(root, 'other-')))
      second = backUp().catch(error => error)
    }
    onTestFinished(() => void vi.unstubAllEnvs())
    await backUp({ onProgress, owners: place.owners })
    expect(await second).toMatchObject(refused)
    expect(await backUp()).toMatchObject({ problems: [] })
  })

  test('are not made in the place of the files themselves', async () => {
    const { peer, url, directory, names } = await usedOracle(engine)
    const owner = ownerWith(directory, names)
    const refused = async (files: object, given: object) => {
      const owners = [{ ...owner, files: { ...owner.files!, ...files } }]
      return codeOf(createBackup({ url, folder, owners, version: '1.0.0', ...given }))
    }
    const at = (address: string) => objectLocation(address, peer.env)
    expect(await refused({ objects: at('s3://oracle/files') }, { objects: at('s3://oracle') })).toBe('backup_refused')
    expect(await refused({ objects: at('s3://oracle') }, { objects: at('s3://oracle/a') })).toBe('backup_refused')
    expect(await refused({ objects: at('s3://oracle/a') }, { objects: at('s3://oracle/b') })).toBe('done')
    const own = newFolder()
    mkdirSync(join(own, 'files/store'), { recursive: true })
    writeFileSync(join(own, 'files/store/kept'), '')
    expect(await refused({ directory: join(own, 'files') }, { folder: own })).toBe('backup_refused')
    expect(existsSync(join(own, 'files/store/kept'))).toBe(true)
  })
})
