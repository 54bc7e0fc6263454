import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { oracle, TestClient, type Tokens } from './oauth-client.test.support.ts'

test('a client of an earlier version whose redirect URI is refused now signs in no one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-oauth-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'oracle.db')
  const { send } = await oracle({ env: { DATABASE_URL: `file:${file}` } })
  const client = await TestClient.register(send, { redirect_uris: ['com.example.pocket:/callback'] })
  const database = new DatabaseSync(file)
  database.exec(
    "update oauth_records set payload = replace(payload, 'com.example.pocket:', 'pocket:') where kind = 'Client'",
  )
  database.close()
  const { path, cookie } = await client.begin({ redirect_uri: 'pocket:/callback' })
  const page = await send(path, { headers: { cookie } })
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('no longer accepts')])
})

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
