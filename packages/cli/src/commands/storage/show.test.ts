/** @module-tag long */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { silentLogger } from '@sibyl/plugin/host'
import { sharePostgres } from '@sibyl/storage/testing'
import { testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../main.ts'
import { inherited } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { pumpProject } from '../dev/dev-process.test.helper.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const show = async (cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) => {
  const terminal = new FakeTerminal({ ...inherited(), ...env }, false)
  const code = await run(['storage', 'show', ...args], { ...terminal.io, cwd })
  return { code, shown: terminal.text, errors: terminal.errors }
}

test('shows the tables of a SQLite file while its oracle runs, the largest first', async () => {
  const folder = pumpProject()
  expect(await show(folder)).toMatchObject({ code: 0, shown: expect.stringContaining('0 tables. The file has 0 B') })
  const DATABASE_URL = pathToFileURL(join(folder, '.data/sibyl.db')).href
  await using oracle = await testApp({ plugins: [], env: { DATABASE_URL }, logger: silentLogger })
  await oracle.chat('Good morning')
  const { shown } = await show(folder)
  expect(shown).toMatch(/^table +rows +size +per day +in a year\n/)
  expect(shown).toMatch(/\ncore_messages +2 +\S+ kB +\S+ \S?B +\S+ kB\n/)
  expect(shown).toMatch(/\nsibyl_migrations +\d+ +\S+ kB +- +-\n/)
  expect(shown).toMatch(/\n\d+ tables\. The file has \d+ kB, of which \S+ k?B are free; its log has /)
  const { tables, ...all } = JSON.parse((await show(folder, ['--json'])).shown)
  expect(tables).toEqual(tables.toSorted((one: { bytes: number }, other: { bytes: number }) => other.bytes - one.bytes))
  const stored = tables.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0)
  expect(all.bytes - all.freeBytes - stored).toBeLessThan(10 * 4096)
  expect(all.bytesInYear).toBe(all.bytes + 365 * all.bytesPerDay)
})

test.runIf(postgres !== undefined)('shows the tables of a PostgreSQL database while its oracle runs', async () => {
  const folder = pumpProject()
  const DATABASE_URL = await postgres!.createDatabase()
  await using oracle = await testApp({ plugins: [], env: { DATABASE_URL }, logger: silentLogger })
  await oracle.chat('Good morning')
  const { shown } = await show(folder, [], { DATABASE_URL })
  expect(shown).toMatch(/\ncore_messages +\d+ +\d+ kB +/)
  expect(shown).toContain('Rows are estimates of PostgreSQL.')
})

test('reports a database that cannot be reached, without the password', async () => {
  const { code, errors } = await show(pumpProject(), [], { DATABASE_URL: 'postgres://sibyl:very-secret@127.0.0.1:1/s' })
  expect(code).toBe(4)
  expect(errors).toContain('PostgreSQL at 127.0.0.1:1 does not accept connections.')
  expect(errors).not.toContain('very-secret')
})
