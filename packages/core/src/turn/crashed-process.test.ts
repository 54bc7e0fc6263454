import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { startKillableOracle } from '../testing/killable-oracle.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

test.skipIf(postgres === undefined)('another process continues a turn of a crashed one', async () => {
  using folder = temporaryFolder()
  const databaseUrl = (await postgres?.createDatabase()) ?? ''
  const mnemonic = createMnemonic(12).reveal()
  const key = createSigningKey()
  const journal = join(folder.path, 'journal.txt')
  await using first = await startKillableOracle({ databaseUrl, mnemonic, journal, script: 'answer' }, key)
  const reader = await streamReader(first.actor.request('/chat', { json: { id: 's1', message: 'hello' } }))
  await reader.until('text-delta')

  const ends: string[] = []
  await using second = await testApp({
    plugins: [officePlugin({ turn: { after: async ({ text }, { outcome }) => void ends.push(`${text} ${outcome}`) } })],
    model: scriptedModel(['next']),
    env: { DATABASE_URL: databaseUrl, ORACLE_MNEMONIC: mnemonic },
  })
  const actor = testActor(second.app, Date.now, key)
  const sessionOf = async () => (await actor.request('/sessions/s1')).json()
  expect((await sessionOf()).runningTurn).toBeDefined()
  const send = () => actor.request('/chat', { json: { id: 's1', message: 'and' } })
  expect((await send()).status).toBe(409)

  await first.end('SIGKILL')
  await expect.poll(() => ends, { timeout: 20_000 }).toEqual(['hello done'])
  const { messages } = await sessionOf()
  expect(messages[1]).toMatchObject({ role: 'assistant', metadata: { outcome: 'done' }, parts: [{}, { text: 'next' }] })
})
