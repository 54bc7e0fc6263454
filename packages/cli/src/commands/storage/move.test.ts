/** @module-tag long */
import { existsSync } from 'node:fs'
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

const terminalWith = (env: Record<string, string>) => new FakeTerminal({ ...inherited(), ...env }, false)

const move = async (cwd: string, args: readonly string[], terminal = terminalWith({})) => {
  const code = await run(['storage', 'move', ...args], { ...terminal.io, cwd })
  return { code, shown: terminal.text, errors: terminal.errors }
}

const databaseOf = (folder: string) => pathToFileURL(join(folder, '.data/sibyl.db')).href

/** A project whose oracle has answered, and stopped. */
const usedProject = async () => {
  const folder = pumpProject()
  const oracle = await testApp({ plugins: [], env: { DATABASE_URL: databaseOf(folder) }, logger: silentLogger })
  await oracle.chat('Good morning')
  return { folder, oracle }
}

test.runIf(postgres !== undefined)('moves the database of a project to PostgreSQL and back', async () => {
  const { folder, oracle } = await usedProject()
  await oracle.app.close()
  const url = await postgres!.createDatabase()
  const moved = await move(folder, [url], terminalWith({ DATABASE_DIRECT_URL: 'postgres://localhost/old' }))
  expect(moved).toMatchObject({ code: 0, errors: expect.stringContaining('Moving the database …\n') })
  expect(moved.errors).toMatch(/\n {2}copying core_\w+ …\n(?:.*\n)* {2}comparing core_\w+ …\n/)
  expect(moved.shown).toMatch(/^Moved \d+ rows of \d+ tables\. The rows of both databases are equal\.\n/)
  expect(moved.shown).toContain('\n  DATABASE_URL=postgres')
  expect(moved.shown).toContain('DATABASE_DIRECT_URL must name the new database too')
  const terminal = new FakeTerminal({ ...inherited(), DATABASE_URL: url }, true)
  Object.assign(terminal.io.stderr, { isTTY: true })
  const back = await move(folder, ['file:./back.db', '--json'], terminal)
  expect(back).toMatchObject({ code: 0, errors: expect.stringContaining('Moving the database') })
  const { tables } = JSON.parse(back.shown)
  expect(tables).toContainEqual({ name: 'core_messages', rows: 2, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(existsSync(join(folder, 'back.db'))).toBe(true)
})

test('reports why it cannot move, without the password', async () => {
  const { folder, oracle } = await usedProject()
  await oracle.app.close()
  const { code, errors } = await move(folder, ['postgres://sibyl:very-secret@127.0.0.1:1/sibyl'])
  expect(code).toBe(4)
  expect(errors).toContain('PostgreSQL at 127.0.0.1:1 does not accept connections.')
  expect(errors).not.toContain('very-secret')
})
