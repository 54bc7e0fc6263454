import { createMnemonic } from '@sibyl/identity'
import { scriptedModel, streamReader, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

test('a turn whose API key lost the right to send is interrupted, and its model is not called', async () => {
  using folder = temporaryFolder()
  const key = 'k'.repeat(32)
  const common = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const boot = (scopes: string, model: ReturnType<typeof scriptedModel>) =>
    testApp({ plugins: [], model, env: { ...common, ORACLE_API_KEYS: `app:${key}:${scopes}:did:example:ada` } })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const before = await boot('chat/*+session/*', scriptedModel([['The ', { wait: new Promise(() => {}) }]]))
  const body = JSON.stringify({ id: 's1', message: 'hello' })
  const reader = await streamReader(before.app.request('/chat', { method: 'POST', body, headers }))
  await reader.until('text-delta')
  await before.app.close({ graceMs: 0 })

  const model = scriptedModel([])
  const after = await boot('session/*', model)
  const session = await (await after.app.request('/sessions/s1', { headers })).json()
  expect(session.messages[1].metadata).toMatchObject({ outcome: 'interrupted' })
  expect(model.calls).toEqual([])
  await after.app.close()
})
