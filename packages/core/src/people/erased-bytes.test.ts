import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'

test('an erasure of many sessions leaves no text in the database and its log', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: `file:${join(folder.path, 'sibyl.db')}` }
  await using oracle = await testApp({ plugins: [], model: scriptedModel(Array(30).fill('noted')), env })
  const { chat, actor: person } = oracle
  const isStored = () =>
    readdirSync(folder.path).some(name => readFileSync(join(folder.path, name)).includes('the secret of the mill'))
  for (let session = 0; session < 30; session += 1)
    await chat(`${session}: the secret of the mill`, { session: `s${session}` })
  expect(isStored()).toBe(true)
  expect((await person.request('/me', { method: 'DELETE' })).status).toBe(204)
  expect(await (await person.request('/sessions')).json()).toEqual({ sessions: [] })
  expect(isStored()).toBe(false)
})
