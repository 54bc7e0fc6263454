import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BootError, definePlugin } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const mayMount = process.getuid?.() === 0 && process.platform === 'linux'
if (!mayMount) console.info('A full disk at the first start is not tested: only root on Linux may mount a small one')

const megabyte = 1_000_000

/** Writes during setup, as plugins with schedules do. */
const diary = definePlugin({
  name: 'diary',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Diary', summary: 'Keeps a diary.', whenToUse: ['never'] },
  migrations: {
    '0001-diary': async (db, { text }) => {
      await db.schema.createTable('diary_page').addColumn('text', text).execute()
    },
  },
  async setup({ storage }) {
    await storage.write(tx =>
      tx
        .insertInto('diary_page' as never)
        .values({ text: 'x'.repeat(50_000) } as never)
        .execute(),
    )
    return {}
  },
})

/** Returns the problems of a boot; undefined if it succeeds. */
const problemsOf = async (databaseUrl: string): Promise<readonly BootProblem[] | undefined> => {
  try {
    await using _ = await testApp({ plugins: [diary], env: { DATABASE_URL: databaseUrl } })
    return undefined
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return error.problems
  }
}

test.runIf(mayMount)('a full disk at the first start is one clear problem, whatever the shortage', async () => {
  using folder = temporaryFolder()
  const disk = join(folder.path, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
  try {
    const filler = join(disk, 'filler')
    const problem = {
      code: 'disk_full',
      headline: 'The disk of the database is full',
      lines: [
        "The oracle writes to the database 'sibyl.db' when it starts, and the disk has no space left.",
        'Free disk space, then start the oracle again. Stored data is unchanged.',
      ],
      variable: 'DATABASE_URL',
      isTemporary: true,
    }
    let starts = 0
    for (let free = 0; starts === 0; free += 32_768) {
      expect(free).toBeLessThan(3 * megabyte)
      for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
      fill(filler)
      truncateSync(filler, statSync(filler).size - free)
      const problems = await problemsOf(`file:${join(disk, 'sibyl.db')}`)
      if (problems === undefined) starts += 1
      else expect(problems).toMatchObject([problem])
    }
    rmSync(filler)
    expect(await problemsOf(`file:${join(disk, 'sibyl.db')}`)).toBeUndefined()
  } finally {
    execFileSync('umount', [disk])
  }
})

const fill = (path: string): void => {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(65_536), { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
