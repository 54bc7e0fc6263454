import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-menu-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const open = (env: Record<string, string> = {}, isTTY = true) => {
  const terminal = new FakeTerminal({ SIBYL_HOME: join(folder, 'home'), ...env }, isTTY, 80, folder)
  return { terminal, ended: run([], terminal.io) }
}

const up = '\u001b[A'

test('sibyl alone on a terminal offers a menu and runs the choice', async () => {
  const { terminal, ended } = open()
  await terminal.until('Show all commands')
  expect(terminal.text).toContain('● Create an oracle (sibyl new)')
  terminal.type(`${up}\r`)
  expect(await ended).toBe(0)
  expect(terminal.text).toContain('Usage: sibyl [options] [command]')
})

test('in a project it offers the commands of a project', async () => {
  writeFileSync(join(folder, 'oracle.config.json'), '{}')
  const { terminal, ended } = open()
  await terminal.until('Show all commands')
  expect(terminal.text).toContain('● Run this oracle, and restart it at every change (sibyl dev)')
  expect(terminal.text).toContain('Open its console in the browser')
  expect(terminal.text).not.toContain('Create an oracle')
  terminal.type('\u0003')
  expect(await ended).toBe(130)
})

test('in a project it chats with the oracle at the port of the project', async () => {
  writeFileSync(join(folder, 'oracle.config.json'), '{}')
  writeFileSync(join(folder, '.env'), 'PORT=9\n', { mode: 0o600 })
  const { terminal, ended } = open()
  await terminal.until('Show all commands')
  terminal.type('\u001b[B\r')
  expect(await ended).toBe(4)
  expect(terminal.errors).toContain('http://localhost:9')
})

test.each([
  ['without a terminal', {}, false],
  ['in CI', { CI: 'true' }, true],
])('%s it shows its help', async (_, env, isTTY) => {
  const { terminal, ended } = open(env, isTTY)
  expect(await ended).toBe(0)
  expect(terminal.text).toMatch(/^Usage: sibyl/)
})
