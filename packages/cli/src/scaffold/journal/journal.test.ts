import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { holdTarget } from './hold-target.ts'
import { beginRecord, nameOf, ScaffoldJournal } from './scaffold-journal.ts'

let env: { SIBYL_HOME: string }
let folder: string
beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'sibyl-journal-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  env = { SIBYL_HOME: home }
  folder = join(home, 'unfinished')
})

const answers = {
  folder: '/x',
  template: 'minimal',
  signing: 'mnemonic',
  network: 'devnet',
  profile: { name: 'X', description: 'It.', price: 'free', model: 'offline' },
  apiUrl: 'http://localhost:4000',
  port: 3000,
  matrixBaseUrl: undefined,
  packageManager: 'npm',
  register: true,
  git: true,
} as const

/** The number of a process that has ended. */
const goneProcess = 2 ** 22 + 1

test('a record is read as it was written, until it is forgotten', async () => {
  const journal = new ScaffoldJournal('/x', env)
  expect(await journal.read()).toBeUndefined()
  const record = beginRecord(answers, 'the words')
  await journal.write({ ...record, entityDid: 'did:web:x' })
  expect(await new ScaffoldJournal('/x', env).read()).toEqual({ ...record, entityDid: 'did:web:x' })
  expect(await new ScaffoldJournal('/y', env).read()).toBeUndefined()
  await journal.forget()
  expect(await journal.read()).toBeUndefined()
})

test('a record that is damaged is told, without what it holds', async () => {
  const journal = new ScaffoldJournal('/x', env)
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(journal.path, '{"mnemonic":"the words"')
  const error = await journal.read().catch(reason => reason)
  expect(error).toMatchObject({ code: 'configuration_invalid', remedy: expect.stringContaining('--fresh') })
  expect(error.message).not.toContain('words')
})

test.each([
  ['an address that is none', { apiUrl: 'localhost' }],
  ['a port that is none', { port: 70_000 }],
  ['a name that a terminal would obey', { profile: { ...answers.profile, name: '\u001b[2J' } }],
  ['more than a record has', { folder: 'x'.repeat(300_000) }],
])('a record that was changed by hand is told: %s', async (_, changed) => {
  const journal = new ScaffoldJournal('/x', env)
  await journal.write(beginRecord({ ...answers, ...changed }, 'the words'))
  await expect(journal.read()).rejects.toMatchObject({ code: 'configuration_invalid' })
})

test('a target is held by one at a time', async () => {
  const release = await holdTarget('/x', env)
  await expect(holdTarget('/x', env)).rejects.toMatchObject({ code: 'folder_not_usable' })
  const other = await holdTarget('/y', env)
  await release()
  const again = await holdTarget('/x', env)
  await Promise.all([again(), other()])
  expect(readdirSync(folder)).toEqual([])
})

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a process that has ended, and that nobody has looked after, holds nothing', async () => {
  // Of the two that sleep the second takes the place of the shell, and looks after nobody.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 61'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [pid] = await once(parent.stdout.setEncoding('utf8'), 'data')
  await vi.waitUntil(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
  process.kill(Number(pid))
  await vi.waitUntil(() => readFileSync(`/proc/${pid.trim()}/stat`, 'utf8').includes(') Z '))
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `${nameOf('/x')}.lock`), pid)
  await (await holdTarget('/x', env))()
})

onLinux('another process with the number of one that was killed holds nothing, as in a new container', async () => {
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `${nameOf('/x')}.lock`), `${process.pid} 1\n`)
  await (await holdTarget('/x', env))()
})

test.each([`${goneProcess}\n`, '', 'nonsense'])('what a killed run holds (%j) is taken over by one', async content => {
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `${nameOf('/x')}.lock`), content)
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => holdTarget('/x', env)))
  const held = attempts.filter(attempt => attempt.status === 'fulfilled')
  expect(held).toHaveLength(1)
  await held[0]?.value()
  expect(readdirSync(folder)).toEqual([])
  expect(existsSync(folder)).toBe(true)
})
