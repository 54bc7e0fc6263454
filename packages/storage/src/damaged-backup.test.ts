import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkBackup } from './check-backup.ts'
import { createBackup } from './create-backup.ts'
import type { MoveOwner } from './move-storage.ts'
import { restoreBackup } from './restore-backup.ts'
import { sql } from './sql/kysely.ts'
import { onEachEngine } from './testing/each-engine.test.helper.ts'

const root = mkdtempSync(join(tmpdir(), 'sibyl-damaged-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const newFolder = () => join(root, String(++count))
const fileCount = 4
const contentOf = (name: string) => `Content of ${name} ${'.'.repeat(2_000)}`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const ownerWith = (directory: string): MoveOwner => ({
  name: 'core',
  migrations: {
    '0100-base': async (db, column) => {
      await db.schema.createTable('keep_notes').addColumn('text', column.text).execute()
    },
  },
  files: {
    directory,
    async *list() {
      for (let index = 0; index < fileCount; index++) {
        const text = contentOf(`file-${index}`)
        yield { path: `store/file-${index}`, bytes: text.length, sha256: sha256(text) }
      }
    },
  },
})

const fill = (directory: string) => {
  mkdirSync(join(directory, 'store'), { recursive: true })
  for (let index = 0; index < fileCount; index++)
    writeFileSync(join(directory, `store/file-${index}`), contentOf(`file-${index}`))
}

/** Runs in a process that kills itself at a step. */
const untilKilled = async (
  call: 'createBackup' | 'restoreBackup',
  options: object,
  step: string,
  directory: string,
) => {
  const module = call === 'createBackup' ? './create-backup.ts' : './restore-backup.ts'
  const program = `
    import { createHash } from 'node:crypto'
    const { ${call} } = await import(${JSON.stringify(new URL(module, import.meta.url).href)})
    await ${call}({
      ...${JSON.stringify({ ...options, version: '1.0.0' })},
      owners: [{ name: 'core', migrations: { '0100-base': async (db, column) => {
        await db.schema.createTable('keep_notes').addColumn('text', column.text).execute()
      } }, files: { directory: ${JSON.stringify(directory)}, async *list() {
        for (let index = 0; index < ${fileCount}; index++) {
          const text = 'Content of file-' + index + ' ' + '.'.repeat(2_000)
          yield { path: 'store/file-' + index, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
        }
      } } }],
      onProgress: shown => shown.step === '${step}' && (shown.step !== 'files' || shown.done > 1) && process.kill(process.pid, 'SIGKILL'),
    })`
  const args = ['--no-warnings', '--conditions=sibyl-source', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

await onEachEngine('a damaged backup', engine => {
  const used = async () => {
    const [url, directory, folder] = [await engine.emptyDatabase(), newFolder(), newFolder()]
    const owners = [ownerWith(directory)]
    const storage = await engine.open({ url })
    await storage.migrate('core', owners[0]!.migrations)
    const write = () => storage.write(tx => sql`insert into keep_notes (text) values ('one')`.execute(tx))
    await write()
    fill(directory)
    const backUp = () => createBackup({ url, folder, owners, version: '1.0.0' })
    return { url, directory, folder, owners, storage, write, backUp }
  }

  test('leaves earlier backups whole when the process is killed, and is removed by the next run', {
    tags: 'long',
  }, async () => {
    const { url, directory, folder, owners, write, backUp } = await used()
    const first = await backUp()
    await write()
    rmSync(join(folder, 'files'), { recursive: true })
    for (const step of engine.name === 'postgres' ? ['compare', 'files'] : ['files']) {
      await untilKilled('createBackup', { url, folder }, step, directory)
      expect(readdirSync(join(folder, '.part'))).not.toEqual([])
    }
    expect(readdirSync(join(folder, 'files/store'))).toHaveLength(2)
    const second = await backUp()
    expect(second).toMatchObject({ files: { count: fileCount, copied: 2 }, problems: [] })
    expect(readdirSync(folder).sort()).toEqual([first.name, second.name, 'backup.lock', 'files'])
    for (const at of [first.name, second.name])
      expect(await checkBackup({ folder, owners, at })).toMatchObject({ opened: true, problems: [] })
  })

  test('is reported without its manifest, and an earlier one is restored', async () => {
    const { folder, owners, write, backUp } = await used()
    const first = await backUp()
    await write()
    const second = await backUp()
    rmSync(join(folder, second.name, 'manifest.json'))
    const incomplete = { code: 'backup_refused', message: expect.stringContaining('has no manifest') }
    await expect(checkBackup({ folder, owners, at: second.name })).rejects.toMatchObject(incomplete)
    expect(await checkBackup({ folder, owners })).toMatchObject({ name: first.name })
  })

  test('names an altered file, and restores all else on request', async () => {
    const { folder, backUp } = await used()
    await backUp()
    const path = join(folder, 'files/store/file-1')
    const content = readFileSync(path)
    content[1_000]! ^= 1
    writeFileSync(path, content)
    rmSync(join(folder, 'files/store/file-2'))
    const target = { url: await engine.emptyDatabase(), folder, owners: [ownerWith(newFolder())] }
    expect(await checkBackup(target)).toMatchObject({
      problems: ['The file store/file-1 differs from its digest.', 'The file store/file-2 is missing.'],
    })
    const damaged = { code: 'backup_damaged', message: expect.stringMatching(/file-1 .* altered.*file-2 .* altered/) }
    await expect(restoreBackup(target)).rejects.toMatchObject(damaged)
    expect(await restoreBackup({ ...target, leaveDamaged: true })).toMatchObject({
      files: { copied: 0 },
      problems: [expect.stringContaining('file-1'), expect.stringContaining('file-2')],
    })
  })

  test('does not restore a truncated or altered copy of the database, and leaves the target empty', async () => {
    const { folder, backUp } = await used()
    const { name, databaseBytes } = await backUp()
    const path = join(folder, name, 'database.db')
    const whole = readFileSync(path)
    const target = { url: await engine.emptyDatabase(), folder, owners: [ownerWith(newFolder())] }
    const altered = Buffer.from(whole)
    altered[whole.length - 100]! ^= 1
    for (const [bytes, text] of [
      [altered, 'differs from its digest'],
      [whole.subarray(0, 4_096), `has 4096 bytes instead of ${databaseBytes}`],
    ] as const) {
      writeFileSync(path, bytes)
      const error = { code: 'backup_damaged', message: expect.stringContaining(text) }
      await expect(restoreBackup(target)).rejects.toMatchObject(error)
      expect(await checkBackup(target)).toMatchObject({ opened: false, problems: [expect.stringContaining(text)] })
    }
    rmSync(path)
    expect(await checkBackup(target)).toMatchObject({ problems: ['The copy of the database is missing.'] })
    writeFileSync(path, whole)
    expect(await restoreBackup(target)).toMatchObject({ problems: [] })
  })

  test('continues a restore whose process was killed', { tags: 'long' }, async () => {
    const { folder, backUp } = await used()
    await backUp()
    const [url, directory] = [await engine.emptyDatabase(), newFolder()]
    for (const step of engine.name === 'postgres' ? ['files', 'copy', 'compare'] : ['files'])
      await untilKilled('restoreBackup', { url, folder }, step, directory)
    const target = { url, folder, owners: [ownerWith(directory)] }
    const copied = engine.name === 'postgres' ? 0 : 2
    expect(await restoreBackup(target)).toMatchObject({ files: { count: fileCount, copied }, problems: [] })
    const storage = await engine.open({ url })
    const { rows } = await sql`select text from keep_notes`.execute(storage.read)
    expect(rows).toEqual([{ text: 'one' }])
    expect(readFileSync(join(directory, 'store/file-3'), 'utf8')).toBe(contentOf('file-3'))
  })

  test('is not begun in a folder that is a file, is in use or is on a full disk', async () => {
    const { url, owners, folder, write, backUp } = await used()
    const error = (text: string) => ({ code: 'backup_refused', message: expect.stringContaining(text) })
    const file = join(root, `file-${engine.name}`)
    writeFileSync(file, '')
    await expect(createBackup({ url, folder: file, owners, version: '1.0.0' })).rejects.toMatchObject(
      error('is not a folder'),
    )
    await write()
    const both = await Promise.allSettled([backUp(), backUp()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(one => one.status === 'rejected')?.reason).toMatchObject(error('Another backup writes to'))
    expect(await checkBackup({ folder, owners })).toMatchObject({ problems: [] })
  })

  const mayMount = process.getuid?.() === 0 && process.platform === 'linux'

  test.runIf(mayMount)(
    'is not kept on a full disk or made on one that is read-only; earlier ones stay whole',
    async () => {
      const { url, owners, storage } = await used()
      const disk = newFolder()
      mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
      try {
        const backUp = () => createBackup({ url, folder: disk, owners, version: '1.0.0' })
        const first = await backUp()
        await storage.write(tx => sql`insert into keep_notes (text) values (${'x'.repeat(1_200_000)})`.execute(tx))
        const full = { code: 'backup_refused', message: expect.stringContaining('is on a full disk') }
        await expect(backUp()).rejects.toMatchObject(full)
        expect(readdirSync(disk).sort()).toEqual([first.name, 'backup.lock', 'files'])
        expect(await checkBackup({ folder: disk, owners })).toMatchObject({ name: first.name, problems: [] })
        execFileSync('mount', ['-o', 'remount,ro', disk])
        const readOnly = { code: 'backup_refused', message: expect.stringContaining('is on a read-only file system') }
        await expect(backUp()).rejects.toMatchObject(readOnly)
      } finally {
        execFileSync('umount', [disk])
      }
    },
  )
})
