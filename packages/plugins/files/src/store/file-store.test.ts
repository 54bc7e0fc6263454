import { randomBytes } from 'node:crypto'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definePlugin, type EnvSchema, type Host } from '@sibyl/plugin'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { silentLogger, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { filePath } from '../content/file-path.ts'
import type { FilesLimits } from '../definitions/files-env.ts'
import type { FilesStorage, FilesTables } from '../definitions/files-tables.ts'
import { filesMigrations } from '../definitions/files-tables.ts'
import { BlobDisk } from '../disk/blob-disk.ts'
import { once } from '../person-files.ts'
import { everythingIn, folderOfTest, personFolder } from '../testing/files-oracle.test.support.ts'
import { findFile, findVersion, latestFiles, listFiles, listVersions, searchFiles } from './file-queries.ts'
import { FileStore } from './file-store.ts'
import { anyState, mustBeFree } from './precondition.ts'
import { OrphanWatch, orphanMs, sweep } from './sweep-files.ts'
import { reservationMs } from './upload-reservation.ts'

const ada = 'did:key:ada'
const day = 86_400_000
const onEachEngine = onEachEngineWith<FilesTables>('files', filesMigrations)

/** A content of bytes that are all there but its end, until it is told to end or to fail. */
const slowly = (bytes: number) => {
  const [rest, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* content() {
    yield Buffer.from(bytes === 2 ? '0' : randomBytes(bytes / 2))
    yield Buffer.from(bytes === 2 ? '1' : randomBytes(bytes / 2))
    begun.resolve()
    await rest.promise
  }
  const reservation = { content: content(), end: () => rest.resolve(), fail: () => rest.reject(new Error('gone')) }
  return { arrival: reservation, arrived: begun.promise }
}

const bytesIn = (folder: string) =>
  everythingIn(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

await onEachEngine('the store of files', engine => {
  const open = async (more: Partial<FilesLimits> = {}) => {
    const url = await engine.emptyDatabase()
    const booted = Promise.withResolvers<Host<unknown, FilesTables>>()
    const plugin = definePlugin<EnvSchema, FilesTables>({
      ...{ name: 'files', version: '0.1.0', core: '^0.1.0', migrations: filesMigrations },
      manifest: { title: 'Files', summary: 'Stores files.', whenToUse: ['a file is stored'] },
      setup: given => {
        booted.resolve(given)
        return {}
      },
    })
    const { app } = await testApp({ plugins: [plugin], env: { DATABASE_URL: url, ORACLE_ACCESS: 'open' } })
    onTestFinished(() => app.close())
    const { storage, jobs, limits: shared } = await booted.promise
    const folder = folderOfTest()
    const disk = new BlobDisk(folder, 'store')
    const limits = {
      ...{ quotaBytes: 10_000, totalBytes: 1_000_000, minFreeBytes: 0, maxFileBytes: 5_000, versionMs: 30 * day },
      ...more,
    }
    const time = { now: Date.now(), elapsed: 0 }
    const orphans = new OrphanWatch(() => time.elapsed)
    const clock = { now: () => time.now }
    const log = silentLogger
    const space = shared.space({ perHolder: limits.quotaBytes, total: limits.totalBytes })
    const { shareOf } = shared
    const storeOn = (storage: FilesStorage) => new FileStore({ storage, disk, limits, clock, log, shareOf, space })
    const store = storeOn(storage)
    return {
      ...{ url, storage, folder, limits, time, store, storeOn, space },
      keep: (path: string, content: string | Uint8Array, by = store) =>
        by.keep({
          actor: { did: ada, via: 'ucan' },
          at: filePath(path),
          content: once(Buffer.from(content)),
          precondition: anyState,
        }),
      read: async (path: string) => Buffer.from((await store.read(ada, filePath(path)))?.content ?? '-').toString(),
      sweep: () => sweep({ storage, disk, limits, clock, jobs, log, orphans, space }),
      used: () => store.usedBy(ada),
      versions: async (path?: string) =>
        (await listVersions(storage.read, ada, { key: path && filePath(path).key, limit: 1_000 })).items,
    }
  }

  test('the quota applies to concurrent writes, in two processes as well', async () => {
    const { keep, used, url, storeOn, folder, storage, store } = await open()
    const other = engine.name === 'postgres' ? storeOn(await engine.open({ url })) : store
    const wrote = await Promise.allSettled(
      Array.from({ length: 16 }, (_, place) => keep(`f${place}`, randomBytes(1_500), place % 2 ? other : store)),
    )
    expect(wrote.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    for (const one of wrote) if (one.status === 'rejected') expect(one.reason.code).toBe('files_quota_reached')
    expect(await used()).toEqual({ bytes: 9_000, files: 6, versions: 0 })
    expect(everythingIn(folder)).toHaveLength(6)
    const race = await Promise.allSettled(
      Array.from({ length: 8 }, (_, place) =>
        (place % 2 ? other : store).keep({
          actor: { did: ada, via: 'ucan' },
          at: filePath('new'),
          content: once(Buffer.from(`${place}`)),
          precondition: mustBeFree,
        }),
      ),
    )
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { bytes } = await storage.read
      .selectFrom('files_blobs')
      .select(eb => eb.fn.sum<number>('bytes').as('bytes'))
      .executeTakeFirstOrThrow()
    expect((await used()).bytes).toBe(Number(bytes))
    expect(everythingIn(folder)).toHaveLength(7)
  })

  test('versions are kept for their time, count once, and can be brought back', async () => {
    const { keep, read, used, versions, store, storage, time, sweep, folder } = await open()
    for (const content of ['one', 'two', 'one']) await keep('a.md', content)
    expect(await used()).toEqual({ bytes: 6, files: 1, versions: 2 })
    expect((await versions('a.md')).map(({ sha256, reason }) => [sha256.slice(0, 4), reason])).toEqual([
      ['3fc4', 'replaced'],
      ['7692', 'replaced'],
    ])
    time.now += 10 * day
    await store.remove(ada, filePath('a.md'), anyState)
    expect([await read('a.md'), (await versions()).length]).toEqual(['-', 3])
    const two = (await versions()).find(({ sha256 }) => sha256.startsWith('3fc4'))
    await expect(store.restore(ada, two!, filePath('a.md'), mustBeFree)).resolves.toMatchObject({ created: true })
    expect(await read('a.md')).toBe('two')
    expect((await searchFiles(storage, ada, 'two', 5)).map(({ path }) => path)).toEqual(['a.md'])
    expect(await findVersion(storage.read, 'did:key:ben', two!.id)).toBeUndefined()
    for (const id of ['v0', 'v', '1', 'v1e3', `v${'9'.repeat(16)}`, 'v999']) {
      expect(await findVersion(storage.read, ada, id), id).toBeUndefined()
    }

    time.now += 21 * day
    await sweep()
    expect((await versions()).map(({ reason }) => reason)).toEqual(['deleted'])
    expect(everythingIn(folder)).toHaveLength(2)
    time.now += 20 * day
    await sweep()
    expect(await used()).toEqual({ bytes: 3, files: 1, versions: 0 })
    expect(everythingIn(folder)).toHaveLength(1)
    expect(await read('a.md')).toBe('two')

    await keep('many', '0')
    const [many] = await storage.read.selectFrom('files_entries').selectAll().where('path', '=', 'many').execute()
    const { entry: _, created_at, updated_at, ...named } = many!
    const old = Array.from({ length: 100 }, () => ({
      ...{ ...named, written_at: created_at, ended_at: updated_at, end_reason: 'replaced' as const },
    }))
    await storage.write(async tx => {
      await tx.insertInto('files_versions').values(old).execute()
      await tx.updateTable('files_blobs').set({ refs: 101 }).where('sha256', '=', named.sha256).execute()
      await tx.updateTable('files_people').set({ records: 102 }).execute()
    })
    const oldest = (await versions('many')).at(-1)
    await keep('many', '1')
    const left = await versions('many')
    expect([left.length, left.some(({ id }) => id === oldest?.id)]).toEqual([100, false])
    expect(await store.forgetVersions(ada, filePath('many').key)).toBe(100)
    expect(await used()).toEqual({ bytes: 4, files: 2, versions: 0 })
    expect(everythingIn(folder)).toHaveLength(2)
    await keep('many', '2')
    await store.remove(ada, filePath('many'), anyState, true)
    expect([await used(), everythingIn(folder).length]).toEqual([{ bytes: 3, files: 1, versions: 0 }, 1])
  })

  test('without versions the space of an overwritten file is free immediately', async () => {
    const { keep, used, versions, store, folder } = await open({ quotaBytes: 5_000, versionMs: 0 })
    for (let place = 0; place < 3; place += 1) await keep('a', Buffer.alloc(5_000, `${place}`))
    await expect(keep('b', 'x')).rejects.toMatchObject({ code: 'files_quota_reached' })
    expect([await used(), await versions()]).toEqual([{ bytes: 5_000, files: 1, versions: 0 }, []])
    await store.remove(ada, filePath('a'), anyState)
    expect([await used(), everythingIn(folder)]).toEqual([{ bytes: 0, files: 0, versions: 0 }, []])
  })

  test('leftovers of crashes are swept, and an upload in progress stays however clocks jump', async () => {
    const { keep, read, sweep, folder, time, store } = await open()
    await keep('a', 'kept')
    const own = personFolder(folder)
    const [kept = ''] = everythingIn(own)
    const left = [`${'a'.repeat(24)}.part`, `${'b'.repeat(64)}.${'c'.repeat(24)}`, 'README']
    for (const one of left) writeFileSync(join(own, one), 'x')
    await sweep()
    const { arrival, arrived } = slowly(2)
    const upload = store.keep({
      actor: { did: ada, via: 'ucan' },
      at: filePath('slow'),
      content: arrival.content,
      precondition: anyState,
    })
    await arrived
    time.elapsed += orphanMs
    for (const jump of [day, -2 * day, 400 * day]) {
      time.now += jump
      await sweep()
    }
    const part = everythingIn(own).filter(name => name.endsWith('.part'))
    expect(everythingIn(own).toSorted()).toEqual([...part, kept, 'README'].toSorted())
    arrival.end()
    await upload
    await sweep()
    expect([part.length, await read('a'), await read('slow')]).toEqual([1, 'kept', '01'])
  })

  test('space is reserved before bytes are written, in two processes as well, and released afterwards', async () => {
    const { keep, used, url, storeOn, folder, storage, store, time, sweep, space } = await open()
    const other = engine.name === 'postgres' ? storeOn(await engine.open({ url })) : store
    const upload = (path: string, size: number | undefined, by: FileStore) => {
      const { arrival, arrived } = slowly(4_000)
      const kept = by.keep({
        actor: { did: ada, via: 'ucan' },
        at: filePath(path),
        content: arrival.content,
        size,
        precondition: anyState,
      })
      kept.catch(() => {})
      return { ...arrival, kept, arrived: Promise.race([arrived, kept]) }
    }
    const reached = { code: 'files_quota_reached' }
    await keep('little', randomBytes(1_500))
    const first = upload('first', 4_000, store)
    const second = upload('second', undefined, other)
    await Promise.all([first.arrived, second.arrived])
    for (const size of [4_000, undefined])
      await expect(upload('third', size, other).arrived).rejects.toMatchObject(reached)
    await expect(keep('third', randomBytes(501), other)).rejects.toMatchObject(reached)
    await keep('small', randomBytes(500), other)
    expect(bytesIn(folder)).toBe(10_000)
    second.fail()
    await expect(second.kept).rejects.toThrow('gone')
    await keep('third', randomBytes(4_000), other)
    expect(bytesIn(folder)).toBe(10_000)
    first.end()
    await first.kept
    expect(await used()).toMatchObject({ bytes: 10_000, files: 4 })
    const arrivals = () => storage.read.selectFrom('files_arrivals').selectAll().execute()
    expect(await arrivals()).toEqual([])

    await store.remove(ada, filePath('third'), anyState, true)
    const { person } = await storage.read.selectFrom('files_people').select('person').executeTakeFirstOrThrow()
    const crashed = { arrival: 'crashed', person, bytes: 4_000, ends_at: time.now + reservationMs }
    await storage.write(async tx => {
      await tx.insertInto('files_arrivals').values(crashed).execute()
      await space.countStored(tx, [{ did: ada, bytes: crashed.bytes }])
    })
    await expect(keep('again', randomBytes(4_000))).rejects.toMatchObject(reached)
    time.now += reservationMs
    await keep('again', randomBytes(4_000))
    await storage.write(async tx => {
      await tx.insertInto('files_arrivals').values(crashed).execute()
      await space.countStored(tx, [{ did: ada, bytes: crashed.bytes }])
    })
    await sweep()
    expect(await arrivals()).toEqual([])
  })

  test('lists come in pages, by folder or all; words find files by path and text', async () => {
    const { keep, storage, time } = await open()
    const paths = ['a.txt', 'b/one.txt', 'b/two.txt', 'b.txt', 'b0.txt', 'stoves/Küche.md']
    for (const path of paths) {
      time.now += 1
      await keep(path, `This is ${path}. The batteries of cook stoves, and ${'filler '.repeat(100)}`)
    }
    await keep('bytes.bin', new Uint8Array([0, 1, 2]))
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { items, next } = await listFiles(storage.read, ada, { limit: 2, cursor })
      seen.push(...items.map(({ path }) => path))
      if (next === undefined) break
      cursor = next
    }
    expect(seen).toEqual(['a.txt', 'b.txt', 'b/one.txt', 'b/two.txt', 'b0.txt', 'bytes.bin', 'stoves/Küche.md'])
    for (const cursor of ['!', 'AA', 'YQ==']) {
      await expect(listFiles(storage.read, ada, { limit: 2, cursor }), cursor).rejects.toMatchObject({
        code: 'cursor_invalid',
      })
    }
    expect((await latestFiles(storage.read, ada, { limit: 2, prefix: 'b/' })).map(({ path }) => path)).toEqual([
      'b/two.txt',
      'b/one.txt',
    ])
    const find = async (query: string) => (await searchFiles(storage, ada, query, 3)).map(({ path }) => path)
    expect(await find('battery')).toHaveLength(3)
    expect((await find('kuche'))[0]).toBe('stoves/Küche.md')
    expect((await find('one stoves'))[0]).toBe('b/one.txt')
    expect(await find('batter')).toHaveLength(3)
    for (const nothing of ['submarine', "' or 1=1", '%', '\0', '🔥', ''])
      expect(await find(nothing), nothing).toEqual([])
    expect(await findFile(storage.read, 'did:key:ben', 'a.txt')).toBeUndefined()
  })

  const text = (length: number) => once(randomBytes(length))
  const keepAs = (store: FileStore, did: string, length: number, more: { holder?: string; origin?: string } = {}) =>
    store.keep({
      actor: { did, via: 'ucan', ...more },
      at: filePath('f'),
      content: text(length),
      size: length,
      precondition: anyState,
    })

  test('files under fresh keys count toward the holder of the right, for any writer', async () => {
    const { storage, store, url, storeOn } = await open({ quotaBytes: 10_000 })
    const other = engine.name === 'postgres' ? storeOn(await engine.open({ url })) : store
    const wrote = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        keepAs(index % 2 ? other : store, `did:key:${index}`, 3_000, { holder: 'did:key:holder' }),
      ),
    )
    expect(wrote.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const one of wrote) if (one.status === 'rejected') expect(one.reason.code).toBe('files_quota_reached')
    await expect(keepAs(store, 'did:key:holder', 3_000)).rejects.toMatchObject({ code: 'files_quota_reached' })
    await keepAs(store, 'did:key:another', 3_000)
    const owners = await storage.read.selectFrom('files_blobs').select('person').execute()
    expect(owners).toHaveLength(4)
  })

  test('all users together have a limit, of which one address has its share', async () => {
    const { store } = await open({ totalBytes: 10_000 })
    const at = (origin: string, count: number) => keepAs(store, `did:${origin}-${count}`, 1_000, { origin })
    for (const count of [1, 2]) await at('a', count)
    await expect(at('a', 3)).rejects.toMatchObject({ code: 'files_share_reached', status: 413 })
    let count = 1
    for (const origin of ['b', 'site.1', 'site.1', 'site.2', 'site.2', 'site.3']) await at(origin, count++)
    for (const origin of ['site.1', 'site.4'])
      await expect(at(origin, count++)).rejects.toMatchObject({ code: 'files_share_reached' })
    await at('h', 1)
    await expect(at('i', 1)).rejects.toMatchObject({ code: 'files_full', status: 507 })
    await store.keep({
      actor: { did: 'did:key:shop', via: 'api-key' },
      at: filePath('f'),
      content: text(1_000),
      precondition: anyState,
    })
    await store.remove('did:a-1', filePath('f'), anyState, true)
    await expect(keepAs(store, 'did:a-3', 1_000, { origin: 'a' })).rejects.toMatchObject({ code: 'files_full' })
  })

  test('a part of the disk stays free', async () => {
    const { store, folder, used } = await open({ minFreeBytes: Number.MAX_SAFE_INTEGER })
    await expect(keepAs(store, ada, 1_000)).rejects.toMatchObject({ code: 'files_disk_low', status: 507 })
    expect(everythingIn(folder)).toEqual([])
    expect(await used()).toMatchObject({ bytes: 0 })
  })
})
