import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { silentLogger, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from './create-client.ts'

test('right after a restore of the database, requests of a client succeed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-restored-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const database = join(folder, 'sibyl.db')
  const env = { DATABASE_URL: `file:${database}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  let behindMs = 0
  const boot = async () => {
    const clock = { now: () => Date.now() - behindMs }
    const { app } = await testApp({ plugins: [], env, logger: silentLogger, clock })
    const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
    return { app, url: `http://127.0.0.1:${port}` }
  }
  const first = await boot()
  await first.app.close()
  copyFileSync(database, `${database}.backup`)
  await (await boot()).app.close()
  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
  copyFileSync(`${database}.backup`, database)

  // The restore was 10 s ago: invocations that begin 30 s before they are signed are rejected for 80 s more.
  behindMs = 10_000
  const restored = await boot()
  onTestFinished(() => restored.app.close())
  behindMs = 0
  const client = createClient({ url: restored.url, signer: createSigningKey() })
  const turn = await client.chat('hello', { sessionId: 's1' })
  for await (const _ of turn.events);
  await client.apiKeys.create({ name: 'shop' })
  await client.sessions.delete('s1')
  expect(await client.sessions.list()).toEqual([])
})
