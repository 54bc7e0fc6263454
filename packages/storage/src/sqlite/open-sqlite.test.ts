import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStorage, type Storage } from '../index.ts'

const run = promisify(execFile)
const script = (name: string): string => fileURLToPath(new URL(`../testing/${name}`, import.meta.url))
const asRoot = process.getuid?.() === 0
const unprivilegedUser = 65_534

interface Tables {
  entry: { id: number; text: string }
}

let folder: string
const opened: Storage[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-sqlite-'))
})

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string): string => `file:${join(folder, name)}`

const open = async (url: string): Promise<Storage<Tables>> => {
  const storage = await openStorage({ url })
  opened.push(storage)
  return storage.for<Tables>()
}

const openWithEntries = async (url: string): Promise<Storage<Tables>> => {
  const storage = await open(url)
  await storage.migrate('test', {
    '001': async (db, column) => {
      await db.schema
        .createTable('entry')
        .addColumn('id', column.integer, c => c.primaryKey())
        .addColumn('text', column.text)
        .execute()
    },
  })
  return storage
}

const put = (storage: Storage<Tables>, id: number, text = 'x') =>
  storage.write(tx => tx.insertInto('entry').values({ id, text }).execute())

const ids = async (storage: Storage<Tables>): Promise<number[]> =>
  (await storage.read.selectFrom('entry').select('id').orderBy('id').execute()).map(row => row.id)

/** Opens a database in a process of the user 'nobody'. */
const openUnprivileged = async (url: string): Promise<{ code: string; message: string }> => {
  const node = [process.execPath, '--no-warnings', script('try-open.ts'), url]
  const line = asRoot
    ? ['setpriv', `--reuid=${unprivilegedUser}`, `--regid=${unprivilegedUser}`, '--clear-groups', ...node]
    : node
  const { stdout } = await run(line[0]!, line.slice(1))
  return JSON.parse(stdout)
}

/** A process that has a database open and writes to it. */
const startWriter = async (url: string) => {
  const child = spawn(process.execPath, ['--no-warnings', script('crash-writer.ts'), url, 'w'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.stdout.resume()
  return {
    kill: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('creates the folder and the file for this user only', async () => {
  const storage = await openWithEntries(at('deep/er/oracle.db'))
  await put(storage, 1)
  expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700)
  for (const name of ['oracle.db', 'oracle.db-wal', 'oracle.db-shm', 'oracle.db.lock']) {
    expect(statSync(join(folder, 'deep/er', name)).mode & 0o777).toBe(0o600)
  }
})

test('a lock file that others could open is restricted to this user, and still locks', async () => {
  const umask = process.umask(0)
  try {
    writeFileSync(join(folder, 'a.db.lock'), '', { mode: 0o666 })
    await open(at('a.db'))
    expect(readdirSync(folder).sort()).toEqual(['a.db', 'a.db-shm', 'a.db-wal', 'a.db.lock', 'a.db.lock-journal'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  } finally {
    process.umask(umask)
  }
  await expect(open(at('a.db'))).rejects.toMatchObject({ code: 'database_in_use' })
  await expect(open(at('a.db'))).rejects.toMatchObject({ code: 'database_in_use' })
})

test('keeps a write-ahead log that is synced before every checkpoint; LogSync syncs it before every acknowledgement', async () => {
  const storage = await open(at('a.db'))
  const settings = await storage.write(async tx => {
    const journal = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(tx)
    const synchronous = await sql<{ synchronous: number }>`pragma synchronous`.execute(tx)
    return [journal.rows[0]?.journal_mode, synchronous.rows[0]?.synchronous]
  })
  const NORMAL = 1
  expect(settings).toEqual(['wal', NORMAL])
})

test('takes memory: as a database that is gone once closed', async () => {
  const storage = await openWithEntries('memory:')
  await put(storage, 1)
  expect(await ids(storage)).toEqual([1])
  await storage.close()
  await expect(ids(await openWithEntries('memory:'))).resolves.toEqual([])
})

test('leaves one file without a journal when it is closed', async () => {
  const storage = await openWithEntries(at('a.db'))
  await put(storage, 1)
  await storage.close()
  expect(existsSync(join(folder, 'a.db-wal'))).toBe(false)
  expect(await ids(await open(at('a.db')))).toEqual([1])
})

test('refuses a file that this process has open already', async () => {
  await open(at('a.db'))
  await expect(open(at('a.db'))).rejects.toMatchObject({ code: 'database_in_use', facts: { file: 'a.db' } })
})

test('refuses a file that another process has open, and takes it over when that is killed', async () => {
  const writer = await startWriter(at('a.db'))
  try {
    await expect(open(at('a.db'))).rejects.toMatchObject({
      code: 'database_in_use',
      message: expect.stringMatching(/'a\.db'.*PostgreSQL/),
    })
  } finally {
    await writer.kill()
  }
  const storage = await open(at('a.db'))
  expect(storage.recovered).toBe(true)
  await storage.close()
  expect((await open(at('a.db'))).recovered).toBe(false)
})

test('reports a file that another program has locked', async () => {
  await (await open(at('a.db'))).close()
  const other = new DatabaseSync(join(folder, 'a.db'))
  other.exec('begin exclusive')
  try {
    await expect(open(at('a.db'))).rejects.toMatchObject({ code: 'database_locked', facts: { file: 'a.db' } })
  } finally {
    other.close()
  }
})

test('recovers after another program held the lock for too long', { tags: 'long' }, async () => {
  const storage = await openWithEntries(at('a.db'))
  const other = new DatabaseSync(join(folder, 'a.db'))
  other.exec('begin immediate')
  await expect(Promise.all([put(storage, 1), put(storage, 2)])).rejects.toMatchObject({ code: 'database_locked' })
  other.exec('rollback')
  other.close()
  await put(storage, 3)
  expect(await ids(storage)).toEqual([3])
})

test('rejects a file that is not a database', async () => {
  writeFileSync(join(folder, 'a.db'), 'This is a diary, not a database. '.repeat(100))
  await expect(open(at('a.db'))).rejects.toMatchObject({
    code: 'database_corrupt',
    message: expect.stringContaining("'a.db' is not a SQLite database"),
  })
  expect(readFileSync(join(folder, 'a.db'), 'utf8')).toContain('diary')
})

test('checks a database after an unclean end and refuses a damaged one', async () => {
  const writer = await startWriter(at('a.db'))
  await writer.kill()
  await (await open(at('a.db'))).close()
  const path = join(folder, 'a.db')
  const bytes = readFileSync(path)
  const USER_VERSION_OFFSET = 60
  bytes.writeUInt32BE(1, USER_VERSION_OFFSET)
  bytes.fill(0xff, 4096 + 8, 4096 + 2000)
  writeFileSync(path, bytes)
  await expect(open(at('a.db'))).rejects.toMatchObject({ code: 'database_corrupt', facts: { file: 'a.db' } })
})

describe('a large database after an unclean end', () => {
  const USER_VERSION_OFFSET = 60

  /** Leaves a file of 70 MB as a killed process does. @param damage Whether a page in the middle is lost. */
  const leaveLarge = async (damage: boolean) => {
    const storage = await openWithEntries(at('a.db'))
    await storage.write(tx => sql`create table large as select zeroblob(70000000) as bytes`.execute(tx))
    await storage.close()
    const file = openSync(join(folder, 'a.db'), 'r+')
    writeSync(file, Buffer.from([0, 0, 0, 1]), 0, 4, USER_VERSION_OFFSET)
    if (damage) writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, 4096 * 8_000)
    closeSync(file)
  }

  test('is checked while it is used', async () => {
    await leaveLarge(false)
    const storage = await open(at('a.db'))
    expect([storage.recovered, storage.isChecking, await storage.ping()]).toEqual([true, true, true])
    await put(storage, 1, 'one')
    await expect.poll(() => storage.isChecking, { timeout: 240_000 }).toBe(false)
    await storage.close()
    const again = await open(at('a.db'))
    expect([again.recovered, again.isChecking]).toEqual([false, false])
  })

  test('opens unchecked where Node may not start processes', { tags: 'long' }, async () => {
    await leaveLarge(false)
    const rights = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*']
    const node = ['--no-warnings', ...rights, script('try-open.ts'), at('a.db')]
    const { stdout } = await run(process.execPath, node)
    expect(JSON.parse(stdout)).toEqual({ code: 'opened', message: '' })
  })

  test('is checked again if it was closed before that ended', async () => {
    await leaveLarge(false)
    await (await open(at('a.db'))).close()
    const again = await open(at('a.db'))
    expect([again.recovered, again.isChecking]).toEqual([true, true])
  })

  test('fails once the check finds damage, and is refused from then on', { tags: 'long' }, async () => {
    await leaveLarge(true)
    const storage = await open(at('a.db'))
    expect(await storage.failed).toMatchObject({ code: 'database_corrupt', facts: { file: 'a.db' } })
    expect(await storage.ping()).toBe(false)
    await storage.close()
    await expect(open(at('a.db'))).rejects.toMatchObject({ code: 'database_corrupt' })
  })
})

test('refuses a truncated database', async () => {
  const storage = await openWithEntries(at('a.db'))
  for (let id = 0; id < 50; id++) await put(storage, id, 'x'.repeat(2000))
  await storage.close()
  truncateSync(join(folder, 'a.db'), 8192)
  const damaged = await open(at('a.db')).catch(error => error)
  if (damaged instanceof Error) expect(damaged).toMatchObject({ code: 'database_corrupt' })
  else await expect(ids(damaged)).rejects.toMatchObject({ code: 'database_corrupt' })
})

test('reports a folder in place of the file', async () => {
  mkdirSync(join(folder, 'data'))
  await expect(open(at('data'))).rejects.toMatchObject({ code: 'database_path_is_folder', facts: { file: 'data' } })
})

test('reports a file in place of the folder', async () => {
  writeFileSync(join(folder, 'data'), '')
  await expect(open(at('data/a.db'))).rejects.toMatchObject({ code: 'database_folder_unusable' })
  await expect(open(at('data/deeper/a.db'))).rejects.toMatchObject({ code: 'database_folder_unusable' })
})

test('reports a read-only folder, only by its last part', async () => {
  mkdirSync(join(folder, 'closed'))
  chmodSync(join(folder, 'closed'), 0o555)
  chmodSync(folder, 0o755)
  for (const path of ['closed/a.db', 'closed/deeper/a.db']) {
    const { code, message } = await openUnprivileged(at(path))
    expect(code).toBe('database_folder_unusable')
    expect(message).not.toContain(folder)
  }
})

test('reports a read-only file', async () => {
  await (await open(at('a.db'))).close()
  chmodSync(join(folder, 'a.db'), 0o444)
  chmodSync(folder, 0o755)
  const { code, message } = await openUnprivileged(at('a.db'))
  expect(code).toBe('database_read_only')
  expect(message).toContain("'a.db'")
  expect(message).not.toContain(folder)
})

test('reports a writable file in a read-only folder', async () => {
  await (await open(at('a.db'))).close()
  if (asRoot) chownSync(join(folder, 'a.db'), unprivilegedUser, unprivilegedUser)
  chmodSync(folder, 0o555)
  rmSync(join(folder, 'a.db.lock'))
  const { code } = await openUnprivileged(at('a.db'))
  chmodSync(folder, 0o755)
  expect(code).toBe('database_folder_unusable')
})

test('every write of a batch gets an error when SQLite rolled it back as a whole, and later ones work', async () => {
  const storage = await openWithEntries(at('a.db'))
  await put(storage, 1)
  // A batch that takes longer than 50 ms, as on a busy machine, takes no further write.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  let swallowed: unknown
  const outcomes = await Promise.allSettled([
    put(storage, 2),
    storage.write(async tx => {
      await sql`insert or rollback into entry (id) values (1)`.execute(tx).catch(() => {})
      swallowed = await sql`insert into entry (id) values (99)`.execute(tx).catch(error => error)
    }),
    put(storage, 3),
  ])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'constraint_violated' } },
    { status: 'rejected', reason: { code: 'constraint_violated' } },
    { status: 'fulfilled' },
  ])
  expect(swallowed).toMatchObject({ code: 'transaction_ended' })
  expect(await ids(storage)).toEqual([1, 3])
})

test('refuses writes when too many wait', { tags: 'long' }, async () => {
  const storage = await openWithEntries('memory:')
  const outcomes = await Promise.allSettled(Array.from({ length: 10_001 }, () => storage.write(async () => {})))
  expect(outcomes.slice(0, -1).every(outcome => outcome.status === 'fulfilled')).toBe(true)
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'write_queue_full' } })
})

test('never shows a password for a URL that it does not know', async () => {
  for (const url of [
    'mysql://user:hunter2@host/db',
    'postgres//user:hunter2@host',
    'file:./data?password=hunter2',
    '',
  ]) {
    const failure = await open(url).catch(error => error)
    expect(failure).toMatchObject({ code: 'database_url_invalid' })
    expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toContain('hunter2')
  }
})

test('reports a full database, loses nothing acknowledged and works again when there is space', async () => {
  const storage = await openWithEntries(at('a.db'))
  await put(storage, 0)
  await storage.write(tx => sql`pragma max_page_count = 20`.execute(tx))
  const acknowledged = [0]
  const fill = async (): Promise<never> => {
    for (;;) {
      const batch = [acknowledged.length, acknowledged.length + 1, acknowledged.length + 2]
      const outcomes = await Promise.allSettled(batch.map(id => put(storage, id, 'x'.repeat(3000))))
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') acknowledged.push(batch[index]!)
      }
      const failed = outcomes.find(outcome => outcome.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
  }
  await expect(fill()).rejects.toMatchObject({ code: 'disk_full' })
  expect(await ids(storage)).toEqual(acknowledged)
  await storage.write(tx => sql`pragma max_page_count = 1000`.execute(tx))
  await put(storage, 1000)
  expect(await ids(storage)).toEqual([...acknowledged, 1000])
})

const mayMount = asRoot && process.platform === 'linux'
if (!mayMount) console.info('A full disk is not tested: only root on Linux may mount a small one')

test.runIf(mayMount)('survives a full disk', async () => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk])
  try {
    const storage = await openWithEntries(at('disk/a.db'))
    writeFileSync(join(disk, 'filler'), Buffer.alloc(1_200_000))
    const acknowledged: number[] = []
    const failures: unknown[] = []
    for (let id = 0; failures.length < 3; id += 4) {
      const batch = [id, id + 1, id + 2, id + 3]
      const outcomes = await Promise.allSettled(batch.map(number => put(storage, number, 'x'.repeat(3000))))
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === 'fulfilled') acknowledged.push(batch[index]!)
        else failures.push(outcome.reason)
      }
    }
    for (const failure of failures) expect(failure).toMatchObject({ code: 'disk_full' })
    expect(await storage.ping()).toBe(false)
    expect(await ids(storage)).toEqual(acknowledged)
    rmSync(join(disk, 'filler'))
    expect(await storage.ping()).toBe(true)
    await put(storage, 100_000)
    await storage.close()
    expect(await ids(await open(at('disk/a.db')))).toEqual([...acknowledged, 100_000])
  } finally {
    for (const storage of opened.splice(0)) await storage.close()
    execFileSync('umount', [disk])
  }
})

const mayLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0
if (!mayLimit) console.info('A disk that fails to write is not tested: prlimit is not on PATH')

test.runIf(mayLimit)(
  'reports a disk that fails to write, loses nothing acknowledged and works again with the disk',
  async () => {
    const storage = await openWithEntries(at('a.db'))
    const limitFiles = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`])
    await put(storage, 0)
    const acknowledged = [0]
    limitFiles(200_000)
    try {
      const fill = async () => {
        for (let id = 1; ; id += 1) {
          await put(storage, id, 'x'.repeat(3000))
          acknowledged.push(id)
        }
      }
      await expect(fill()).rejects.toMatchObject({ code: 'database_io', status: 503 })
      expect(await ids(storage)).toEqual(acknowledged)
    } finally {
      limitFiles('unlimited')
    }
    await put(storage, 1000)
    expect(await ids(storage)).toEqual([...acknowledged, 1000])
  },
)

test('what a scrubbing write deletes is in none of the files', async () => {
  const storage = await openWithEntries(at('app.db'))
  const traces = (): string[] =>
    ['app.db', 'app.db-wal'].filter(name => readFileSync(join(folder, name)).includes('forget me'))
  const texts = Array.from({ length: 300 }, (_, id) => ({ id, text: `forget me ${'x'.repeat((id % 7) * 1_000)}` }))
  await storage.write(tx => tx.insertInto('entry').values(texts).execute())
  await storage.write(tx => tx.updateTable('entry').set({ text: 'forget me, changed' }).where('id', '<', 50).execute())
  expect(traces()).not.toEqual([])
  await Promise.all([
    storage.write(tx => tx.insertInto('entry').values({ id: 1_000, text: 'kept' }).execute()),
    storage.write(tx => tx.deleteFrom('entry').where('id', '<', 300).execute(), { scrub: true }),
  ])
  expect(traces()).toEqual([])
  expect(await storage.read.selectFrom('entry').select('text').execute()).toEqual([{ text: 'kept' }])
})

/** Texts of which none may be left in the files. */
const openWithSecrets = async () => {
  const storage = await openWithEntries(at('app.db'))
  const texts = Array.from({ length: 300 }, (_, id) => ({ id, text: `forget me ${'x'.repeat((id % 7) * 1_000)}` }))
  await storage.write(tx => tx.insertInto('entry').values(texts).execute())
  const traces = () => ['app.db', 'app.db-wal'].filter(name => readFileSync(join(folder, name)).includes('forget me'))
  return { storage, traces }
}

test('what a scrubbing write deletes leaves the log after the commit, when what read the log has ended', async () => {
  const { storage, traces } = await openWithSecrets()
  const other = new DatabaseSync(join(folder, 'app.db'), { readOnly: true })
  other.exec('begin; select count(*) from entry')
  const committed = () => other.close()
  await storage.write(tx => tx.deleteFrom('entry').execute(), { scrub: true, committed })
  expect(traces()).toEqual([])
})

test('writes that come while the log is emptied are kept, and leave it empty of what was scrubbed', async () => {
  const { storage, traces } = await openWithSecrets()
  const written: Promise<unknown>[] = []
  const scrubbed = Array.from({ length: 5 }, (_, part) =>
    storage.write(
      tx =>
        tx
          .deleteFrom('entry')
          .where('id', '<', (part + 1) * 60)
          .execute(),
      {
        scrub: true,
        committed: () => written.push(put(storage, 1_000 + part)),
      },
    ),
  )
  await Promise.all(scrubbed)
  expect(traces()).toEqual([])
  await Promise.all(written)
  expect(await ids(storage)).toEqual([1_000, 1_001, 1_002, 1_003, 1_004])
})

test('what was scrubbed in parts is gone with a last scrubbing write', async () => {
  const { storage, traces } = await openWithSecrets()
  for (const max of [100, 200, 300]) {
    const scrub = { scrub: true, log: 'copied' } as const
    await storage.write(tx => tx.deleteFrom('entry').where('id', '<', max).execute(), scrub)
  }
  await storage.write(async () => {}, { scrub: true })
  expect(traces()).toEqual([])
})

test('a database closes after writes that were scrubbed a moment ago', async () => {
  const { storage, traces } = await openWithSecrets()
  const scrubbed = storage.write(tx => tx.deleteFrom('entry').execute(), { scrub: true })
  await storage.close()
  await scrubbed
  expect(readdirSync(folder)).not.toContain('app.db-wal')
  expect(readFileSync(join(folder, 'app.db')).includes('forget me')).toBe(false)
  expect(traces).toThrow('ENOENT')
})

test('a scrubbing write that fails keeps what it would have deleted, and later writes work', async () => {
  const storage = await openWithEntries(at('app.db'))
  await storage.write(tx => tx.insertInto('entry').values({ id: 1, text: 'stays' }).execute())
  const failing = storage.write(
    async tx => {
      await tx.deleteFrom('entry').execute()
      throw new Error('no')
    },
    { scrub: true },
  )
  await expect(failing).rejects.toThrow('no')
  await storage.write(tx => tx.insertInto('entry').values({ id: 2, text: 'more' }).execute())
  const texts = await storage.read.selectFrom('entry').select('text').orderBy('id').execute()
  expect(texts).toEqual([{ text: 'stays' }, { text: 'more' }])
})
