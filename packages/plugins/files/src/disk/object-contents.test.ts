import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { BootError } from '@sibyl/plugin'
import { sharePostgres } from '@sibyl/storage/testing'
import { startObjectStore, type TestObjectStore } from '@sibyl/storage/testing/objects'
import { afterAll, expect, test } from 'vitest'
import { bootFiles, codeOf, folderOfTest } from '../testing/files-oracle.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const FILES_URL = 's3://oracle/files'
const databaseUrl = () => pathToFileURL(`${folderOfTest()}/sibyl.db`).href

const boot = async (objects: TestObjectStore, env: Record<string, string> = {}) =>
  bootFiles({ env: { ...objects.env, FILES_URL, ...env } })

const problemsAt = async (objects: TestObjectStore, env: Record<string, string>) => {
  try {
    await (await boot(objects, env))[Symbol.asyncDispose]()
    return []
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return error.problems
  }
}

/** Keys of contents in the store. */
const contentsIn = async (objects: TestObjectStore) =>
  (await objects.keys()).filter(key => !key.includes('.folder-')).map(key => key.replace(/.*\//, ''))

test('files in an object store are written, read in parts, replaced and deleted as in a folder', async () => {
  const objects = await startObjectStore()
  await using oracle = await boot(objects)
  const { put, get, del } = oracle
  expect((await put('a.txt', 'content')).status).toBe(201)
  expect((await put('b.txt', 'content')).status).toBe(201)
  expect(await contentsIn(objects)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.[0-9a-f]{24}$/)])
  expect(await (await get('a.txt')).text()).toBe('content')
  const part = await get('a.txt', { range: 'bytes=2-3' })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-3/7', 'nt'])
  expect((await put('none', '')).status).toBe(201)
  expect(await (await get('none')).text()).toBe('')
  const large = randomBytes(9_000_000)
  expect((await put('large', large)).status).toBe(201)
  expect(Buffer.from(await (await get('large')).arrayBuffer()).equals(large)).toBe(true)
  expect((await get('large', { range: 'bytes=8999999-' })).headers.get('content-length')).toBe('1')
  expect((await put('a.txt', 'other', { 'if-match': '*' })).status).toBe(200)
  expect(await contentsIn(objects)).toHaveLength(4)
  for (const path of ['a.txt', 'b.txt', 'none', 'large'])
    expect((await del(path, { 'if-match': '*' }, '&forever=true')).status).toBe(204)
  expect(await contentsIn(objects)).toEqual([])
})

test('a content that differs by a byte is not sent to its end', async () => {
  const objects = await startObjectStore()
  await using oracle = await boot(objects)
  await oracle.put('a.txt', 'x'.repeat(1_000))
  objects.alter = chunk => Buffer.from(String(chunk).replace('x', 'y'))
  await expect((await oracle.get('a.txt')).text()).rejects.toThrow()
  objects.alter = undefined
  expect(await (await oracle.get('a.txt')).text()).toBe('x'.repeat(1_000))
})

test('an upload is refused while the store is full or gone, and leaves nothing', async () => {
  const objects = await startObjectStore()
  await using oracle = await boot(objects)
  await oracle.put('a.txt', 'content')
  objects.interfere = ({ method }) => (method === 'PUT' ? { status: 403, code: 'QuotaExceeded' } : undefined)
  expect(await codeOf(await oracle.put('b.txt', 'more'))).toBe('507 files_disk_low')
  expect(await (await oracle.get('a.txt')).text()).toBe('content')
  objects.interfere = () => 'hang up'
  expect(await codeOf(await oracle.put('b.txt', 'more'))).toBe('503 files_storage_failed')
  expect(await codeOf(await oracle.get('a.txt'))).toBe('503 files_storage_failed')
  const status = () => oracle.app.plugins().find(({ name }) => name === 'files')
  expect(status()).toMatchObject({ state: 'degraded', reason: expect.stringContaining('is not reachable') })
  objects.interfere = undefined
  expect((await oracle.list()).files).toHaveLength(1)
  expect((await oracle.put('b.txt', 'more')).status).toBe(201)
  expect(status()?.state).not.toBe('degraded')
  expect(await contentsIn(objects)).toHaveLength(2)
})

test('a start without a usable store reports the variable, the problem and the remedy', async () => {
  const objects = await startObjectStore()
  const [wrong] = await problemsAt(objects, { AWS_SECRET_ACCESS_KEY: 'very-secret' })
  expect(wrong).toMatchObject({ code: 'files_folder_unusable', variable: 'FILES_URL' })
  expect(wrong?.lines.join(' ')).toMatch(
    /FILES_URL is "s3:\/\/oracle\/files".* rejects the key .*SignatureDoesNotMatch/,
  )
  expect(wrong?.isTemporary).toBeUndefined()
  expect((await problemsAt(objects, { FILES_URL: 's3://other' }))[0]?.lines[0]).toContain('has no bucket other')
  expect((await problemsAt(objects, { AWS_ACCESS_KEY_ID: '' }))[0]?.lines[0]).toContain('Set AWS_ACCESS_KEY_ID')
  const gone = await problemsAt(objects, { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
  expect(gone).toMatchObject([
    { isTemporary: true, lines: [expect.stringContaining('is not reachable'), expect.anything()] },
  ])
  expect((await problemsAt(objects, { FILES_URL: 'https://x' }))[0]).toMatchObject({ variable: 'FILES_URL' })
})

test('a database whose files are elsewhere does not start with an empty store, and the reverse', async () => {
  const objects = await startObjectStore()
  const folder = folderOfTest()
  const env = { DATABASE_URL: databaseUrl() }
  const inFolder = await bootFiles({ env }, folder)
  await inFolder.put('a.txt', 'content')
  await inFolder[Symbol.asyncDispose]()
  const moved = await problemsAt(objects, env)
  expect(moved).toMatchObject([{ code: 'files_folder_differs', variable: 'FILES_URL' }])
  expect(moved[0]?.lines.join(' ')).toContain('the files of this database are missing there')
  const other = { DATABASE_URL: databaseUrl() }
  await (await boot(objects, other))[Symbol.asyncDispose]()
  expect(await problemsAt(objects, { ...other, FILES_URL: 's3://oracle/other' })).toMatchObject([
    { code: 'files_folder_differs', variable: 'FILES_URL' },
  ])
  const back = await bootFiles({ env: other }, folder).catch(error => error)
  expect(back.problems).toMatchObject([{ code: 'files_folder_differs', variable: 'FILES_DIR' }])
})

test('a start deletes contents without a row, and aborts uploads of a process that crashed', async () => {
  const objects = await startObjectStore()
  const env = { DATABASE_URL: databaseUrl() }
  const first = await boot(objects, env)
  await first.put('a.txt', 'content')
  const [kept = ''] = await contentsIn(objects)
  await first[Symbol.asyncDispose]()
  const [key = ''] = (await objects.keys()).filter(one => one.endsWith(kept))
  const orphan = key.replace(kept, `${'0'.repeat(24)}.part`)
  await objects.put(orphan, 'part')
  await objects.beginUpload(orphan.replace('.part', '').replace(/0{24}$/, `${'1'.repeat(24)}.part`))
  const deleted = (name: string) =>
    objects.once(request => request.startsWith('DELETE') && request.includes(name.repeat(24)))
  const swept = Promise.all([deleted('0'), objects.once(request => /^DELETE .*1{24}\.part\?uploadId=/.test(request))])
  await using _ = await boot(objects, env)
  await swept
  expect(await contentsIn(objects)).toEqual([kept])
})

test.runIf(postgres !== undefined)('two processes on one database share a store', async () => {
  const objects = await startObjectStore()
  const env = { DATABASE_URL: await postgres!.createDatabase() }
  const [one, other] = await Promise.all([boot(objects, env), boot(objects, env)])
  await using _ = one
  await using __ = other
  expect((await one.put('a.txt', 'content')).status).toBe(201)
  expect((await objects.keys()).filter(key => key.includes('.folder-'))).toHaveLength(1)
  const names = Array.from({ length: 8 }, (_, place) => `f${place}`)
  const wrote = await Promise.all(names.map((name, place) => (place % 2 ? one : other).put(name, name)))
  expect(wrote.map(({ status }) => status)).toEqual(names.map(() => 201))
  expect(await contentsIn(objects)).toHaveLength(9)
})
