import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { testActor } from '@sibyl/testing'
import { afterAll, afterEach, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'sibyl-deploy-'))
const children: ChildProcess[] = []

/** Oracles start in a third of the processor time with packages that are bundled, from the current sources. */
const bundle = join(import.meta.dirname, '../../../scripts/bundle-packages.mjs')
execFileSync(process.execPath, [bundle, '--if-changed'], { stdio: 'pipe' })

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs it with the environment that a supervisor gives, and no more. */
const start = (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: `file:${folder}/sibyl.db`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const url = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [found] = /http:\/\/[\w.]+:\d+/.exec(line) ?? []
      if (line.includes('listening') && found) return found
    }
    throw new Error('it ended before it listened')
  })()
  return { child, url, ended: once(child, 'close') }
}

/** Makes one sync fail, after SIGUSR2. */
const failingSync = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { fdatasync } = fs
process.once('SIGUSR2', () => {
  fs.fdatasync = (_, callback) => {
    fs.fdatasync = fdatasync
    syncBuiltinESMExports()
    setImmediate(() => callback(Object.assign(new Error('i/o error'), { code: 'EIO' })))
  }
  syncBuiltinESMExports()
})
`

test('it serves in production with nothing but a database, and ends at SIGTERM', async () => {
  const { child, url, ended } = start({})
  const health = await fetch(`${await url}/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', environment: 'production' }])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('after a failed sync it answers 503 and ends with an exit code that a supervisor restarts', async () => {
  const { child, url, ended } = start({
    DATABASE_URL: `file:${folder}/failing.db`,
    ORACLE_MNEMONIC: `${'test '.repeat(11)}junk`,
    ORACLE_ACCESS: 'open',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=data:text/javascript,${encodeURIComponent(failingSync)}`,
  })
  const oracle = await url
  const { did } = await (await fetch(`${oracle}/.well-known/oracle.json`)).json()
  const target = { request: (path: string, init?: RequestInit) => fetch(oracle + path, init), identity: { did } }
  const actor = testActor(target)
  const exchange = async () => (await actor.request('/auth/token', { method: 'POST' })).status
  expect(await exchange()).toBe(200)
  child.kill('SIGUSR2')
  await expect.poll(exchange).toBe(503)
  const health = await fetch(`${oracle}/health`)
  expect([health.status, await health.json()]).toMatchObject([503, { status: 'degraded', database: 'disconnected' }])
  const exitCode = 74
  expect(await ended).toEqual([exitCode, null])
  const unit = readFileSync(join(import.meta.dirname, '../oracle.service'), 'utf8')
  expect(unit).toContain('Restart=on-failure')
  expect(unit).toMatch(/^RestartPreventExitStatus=3$/m)
})

test('reports what prevents the start, with an exit code that no supervisor retries', { tags: 'long' }, async () => {
  const { child, url, ended } = start({ RATE_LIMIT_PER_MINUTE: 'many' })
  await expect(url).rejects.toThrow()
  expect(await ended).toEqual([3, null])
  expect(child.exitCode).toBe(3)
})
