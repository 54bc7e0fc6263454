import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
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

test('a target is held by one at a time', async () => {
  const release = await holdTarget('/x', env)
  await expect(holdTarget('/x', env)).rejects.toMatchObject({ code: 'folder_not_usable' })
  const other = await holdTarget('/y', env)
  await release()
  const again = await holdTarget('/x', env)
  await Promise.all([again(), other()])
  expect(readdirSync(folder)).toEqual([])
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
