import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { lockTarget } from './lock-target.ts'
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

/** The ID of a process that has ended. */
const goneProcess = 2 ** 22 + 1

test('reads a record as it was written, until it is removed', async () => {
  const journal = new ScaffoldJournal('/x', env)
  expect(await journal.read()).toBeUndefined()
  const record = beginRecord(answers, 'the words')
  await journal.write({ ...record, entityDid: 'did:web:x' })
  expect(await new ScaffoldJournal('/x', env).read()).toEqual({ ...record, entityDid: 'did:web:x' })
  expect(await new ScaffoldJournal('/y', env).read()).toBeUndefined()
  await journal.forget()
  expect(await journal.read()).toBeUndefined()
})

test('reports a damaged record, without its content', async () => {
  const journal = new ScaffoldJournal('/x', env)
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(journal.path, '{"mnemonic":"the words"')
  const error = await journal.read().catch(reason => reason)
  expect(error).toMatchObject({ code: 'configuration_invalid', remedy: expect.stringContaining('--fresh') })
  expect(error.message).not.toContain('words')
})

test.each([
  ['an invalid address', { apiUrl: 'localhost' }],
  ['an invalid port', { port: 70_000 }],
  ['a name with a terminal sequence', { profile: { ...answers.profile, name: '\u001b[2J' } }],
  ['an oversized member', { folder: 'x'.repeat(300_000) }],
])('reports a modified record: %s', async (_, changed) => {
  const journal = new ScaffoldJournal('/x', env)
  await journal.write(beginRecord({ ...answers, ...changed }, 'the words'))
  await expect(journal.read()).rejects.toMatchObject({ code: 'configuration_invalid' })
})

test('a target has one owner at a time', async () => {
  const release = await lockTarget('/x', env)
  await expect(lockTarget('/x', env)).rejects.toMatchObject({ code: 'folder_not_usable' })
  const other = await lockTarget('/y', env)
  await release()
  const again = await lockTarget('/x', env)
  await Promise.all([again(), other()])
  expect(readdirSync(folder)).toEqual([])
})

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a zombie process owns nothing', async () => {
  // The second of the two sleeps replaces the shell, and has no child.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 61'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [pid] = await once(parent.stdout.setEncoding('utf8'), 'data')
  await vi.waitUntil(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n')
  process.kill(Number(pid))
  await vi.waitUntil(() => readFileSync(`/proc/${pid.trim()}/stat`, 'utf8').includes(') Z '))
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `${nameOf('/x')}.lock`), pid)
  await (await lockTarget('/x', env))()
})

onLinux('another process with the number of one that was killed holds nothing, as in a new container', async () => {
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `${nameOf('/x')}.lock`), `${process.pid} 1\n`)
  await (await lockTarget('/x', env))()
})

test.each([`${goneProcess}\n`, '', 'nonsense'])('a lock of a killed run (%j) is taken over by one', async content => {
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, `${nameOf('/x')}.lock`), content)
  const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => lockTarget('/x', env)))
  const held = attempts.filter(attempt => attempt.status === 'fulfilled')
  expect(held).toHaveLength(1)
  await held[0]?.value()
  expect(readdirSync(folder)).toEqual([])
  expect(existsSync(folder)).toBe(true)
})
