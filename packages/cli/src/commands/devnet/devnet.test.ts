import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { reservePort } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { temporaryHome } from './devnet-process.test.helper.ts'

/** Runs `sibyl devnet` in this process, and ends it after the test. */
const start = (home: string, args: readonly string[] = []) => {
  const terminal = new FakeTerminal({ SIBYL_HOME: home }, false)
  const ended = run(['devnet', ...args], terminal.io)
  const started = () => expect.poll(() => terminal.text).toContain('curl ')
  const end = async () => {
    await Promise.race([ended, started()])
    terminal.interrupt()
    return ended
  }
  onTestFinished(async () => void (await end()))
  return { terminal, ended, end, started }
}

const taken = async (): Promise<number> => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return (other.address() as { port: number }).port
}

test('a new API key replaces the previous one, and DIDs stay on another port', async () => {
  const home = temporaryHome()
  const first = start(home, ['--port', '0'])
  await first.started()
  const factsOf = (text: string) => [/ DID +(\S+)/.exec(text)?.[1], /did:key:\w+/.exec(text)?.[0]]
  expect(await first.end()).toBe(0)
  const data = join(home, 'devnet')
  const second = start(home, ['--port', String(await reservePort()), '--new-key', '--data', data])
  await second.started()
  expect(factsOf(second.terminal.text)).toEqual(factsOf(first.terminal.text))
  const [before, after] = [first, second].map(({ terminal }) => /devnet_[\w-]+/.exec(terminal.text)?.[0])
  expect(after).toMatch(/^devnet_[\w-]{32}$/)
  expect(after).not.toBe(before)
  const port = /localhost:(\d+)/.exec(first.terminal.text)?.[1]
  expect(second.terminal.text).toContain(`              from its first start, on port ${port}\n`)
  await second.end()
  const third = start(home, ['--port', '0', '--data', data])
  await third.started()
  expect(third.terminal.text).not.toContain(after)
  expect(third.terminal.text).toContain(`for a new one: sibyl devnet --data ${data} --new-key\n`)
})

test('--json prints one object, once it listens', async () => {
  const home = temporaryHome()
  const terminal = new FakeTerminal({ SIBYL_HOME: home }, false)
  const ended = run(['devnet', '--json', '--port', '0'], terminal.io)
  onTestFinished(async () => {
    terminal.interrupt()
    await ended
  })
  await expect.poll(() => terminal.text).toContain('\n')
  const { url, apiKey, ...facts } = JSON.parse(terminal.text)
  expect(facts).toMatchObject({ publicDid: expect.stringContaining('did:web:localhost'), folder: join(home, 'devnet') })
  const answer = await fetch(`${url}/v1/entities`, { headers: { authorization: `Bearer ${apiKey}` } })
  expect(answer.status).toBe(200)
})

test('reports what prevents the start in a sentence', async () => {
  const home = temporaryHome()
  const port = await taken()
  const fails = async (args: readonly string[], words: string) => {
    const { terminal, ended } = start(home, args)
    expect([await ended, terminal.text]).toEqual([3, ''])
    expect(terminal.errors).toContain(`sibyl: ${words}`)
    expect(terminal.errors.split('\n')).toHaveLength(3)
  }
  await fails(['--port', String(port)], `Port ${port} is already in use.\n       Choose another: sibyl devnet`)
  const running = start(home, ['--port', '0'])
  await running.started()
  expect(running.terminal.text).toContain('shown only this time')
  expect(running.terminal.text).not.toContain('from its first start')
  await fails(['--port', '0'], `A devnet with the data in ${home}/devnet is already running.\n`)
  const fail = (data: string, words: string) => fails(['--port', '0', '--data', data], words)
  await fail('/dev/null/x', 'The folder /dev/null/x cannot be created (ENOTDIR).\n')
  await fail(brokenFolder(home, 'devnet.json', '{'), `The keys of this devnet, ${home}/broken-devnet.json/`)
  await fail(brokenFolder(home, 'devnet.db', 'x'.repeat(5_000)), 'The database of this devnet, ')
})

const brokenFolder = (home: string, file: string, text: string): string => {
  const folder = join(home, `broken-${file}`)
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, file), text, { mode: 0o600 })
  return folder
}

test('of two that start at once, one runs, and the other prints its address', async () => {
  const home = temporaryHome()
  const both = [start(home, ['--port', '0']), start(home, ['--port', '0'])] as const
  await Promise.race(both.map(({ ended }) => ended))
  const [loser, winner] = both[0].terminal.errors === '' ? both.toReversed() : both
  await winner!.started()
  expect(loser!.terminal.errors).toContain('A devnet with the data in ')
  const url = /localhost:\d+/.exec(winner!.terminal.text)?.[0]
  for (const place of loser!.terminal.errors.match(/localhost:\d+/g) ?? []) expect(place).toBe(url)
})

test('fixes the mode of keys that others can read', async () => {
  const home = temporaryHome()
  const first = start(home, ['--port', '0'])
  await first.started()
  await first.end()
  const path = join(home, 'devnet', 'devnet.json')
  const keys = readFileSync(path, 'utf8')
  chmodSync(path, 0o644)
  const second = start(home, ['--port', '0'])
  await second.started()
  expect(second.terminal.errors).toContain(`Other users could read ${path} (mode 0644); its mode is now 0600.`)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toBe(keys)
})

test('rejects a folder that others can write to', async () => {
  const home = temporaryHome()
  mkdirSync(join(home, 'devnet'))
  chmodSync(join(home, 'devnet'), 0o777)
  const { terminal, ended } = start(home)
  expect(await ended).toBe(3)
  expect(terminal.errors).toContain(`Run: chmod 700 '${home}/devnet'`)
})

test.each(['x', '-1', '65536', '4100.5', ''])('rejects --port %j', async port => {
  const { terminal, ended } = start('/dev/null/x', [`--port=${port}`])
  expect(await ended).toBe(2)
  expect(terminal.errors).toContain('Expected a number from 0 to 65535.')
})
