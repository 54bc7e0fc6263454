import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMnemonic } from '@sibyl/identity'
import { reservePort, testActor } from '@sibyl/testing'
import { testProgram } from '@sibyl/testing/program'
import { expect, onTestFinished, test } from 'vitest'
import { errorOf, TestClient, type Tokens } from './oauth-client.test.support.ts'

const start = async (env: Record<string, string>) => {
  const file = await testProgram(new URL('./oauth-process.test.support.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', file], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { port, did } = JSON.parse(String(line)) as { port: number; did: string }
  const send = (path: string, init?: RequestInit) =>
    fetch(`http://localhost:${port}${path}`, { redirect: 'manual', ...init })
  return {
    send,
    actor: testActor({ request: send, identity: { did } }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('a code that was issued before kill -9 is exchanged after the restart, with the same answer after another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-oauth-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const port = await reservePort()
  const env = {
    DATABASE_URL: `file:${join(folder, 'oracle.db')}`,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '0',
  }
  const before = await start(env)
  const client = await TestClient.register(before.send)
  const waiting = await client.begin()
  const code = await client.signIn(before.actor)
  await before.kill()
  const after = await start(env)
  const again = new TestClient(after.send, client.id)
  Object.assign(again, { verifier: client.verifier })
  const tokens: Tokens = await (await again.exchange(code)).json()
  expect(await again.status(tokens.access_token)).toBe(200)
  await after.kill()
  const last = new TestClient((await start(env)).send, client.id)
  Object.assign(last, { verifier: client.verifier })
  expect(await last.status(tokens.access_token)).toBe(200)
  expect((await last.send(waiting.path, { headers: { cookie: waiting.cookie } })).status).toBe(200)
  const same: Tokens = await (await last.exchange(code)).json()
  expect(same).toEqual(tokens)
  expect((await last.refresh(same.refresh_token)).status).toBe(200)
  expect(await errorOf(await last.exchange(code))).toEqual([400, 'invalid_grant'])
})
