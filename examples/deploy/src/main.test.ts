import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'sibyl-deploy-'))
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs it with the environment that a supervisor gives, and no more. */
const start = (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ['--conditions=sibyl-source', join(import.meta.dirname, 'main.ts')], {
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

test('it serves in production with nothing but a database, and ends at SIGTERM', async () => {
  const { child, url, ended } = start({})
  const health = await fetch(`${await url}/health`)
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', environment: 'production' }])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('what keeps it from starting is told, with an exit code that no supervisor tries again', async () => {
  const { child, url, ended } = start({ RATE_LIMIT_PER_MINUTE: 'many' })
  await expect(url).rejects.toThrow()
  expect(await ended).toEqual([3, null])
  expect(child.exitCode).toBe(3)
})
