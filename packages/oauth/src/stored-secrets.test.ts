import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { oracle, TestClient, type Tokens } from './oauth-client.test.support.ts'

test('the database has no code, no token and no cookie of a sign-in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-oauth-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { send, actor } = await oracle({ env: { DATABASE_URL: `file:${join(folder, 'oracle.db')}` } })
  const client = await TestClient.register(send)
  const waiting = await client.begin()
  const code = await client.signIn(actor)
  const tokens: Tokens = await (await client.exchange(code)).json()
  const rows = readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'latin1'))
    .join('')
  expect(rows).toContain('Pocket')
  const cookies = waiting.cookie.split('; ').flatMap(one => (one.includes('.sig=') ? (one.split('=')[1] ?? []) : []))
  expect(cookies).toHaveLength(2)
  for (const secret of [code, tokens.access_token, tokens.refresh_token, client.verifier, ...cookies])
    expect(rows.includes(secret), secret.slice(0, 12)).toBe(false)
})
