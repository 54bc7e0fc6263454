import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Host } from '@sibyl/plugin'
import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { startKillableOracle } from '../testing/killable-oracle.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

test.skipIf(postgres === undefined)('another process continues a turn of a crashed one', { tags: 'long' }, async () => {
  using folder = temporaryFolder()
  const databaseUrl = (await postgres?.createDatabase()) ?? ''
  const mnemonic = createMnemonic(12).reveal()
  const key = createSigningKey()
  const journal = join(folder.path, 'journal.txt')
  await using first = await startKillableOracle({ databaseUrl, mnemonic, journal, script: 'answer' }, key)
  const reader = await streamReader(first.actor.request('/chat', { json: { id: 's1', message: 'hello' } }))
  await reader.until('text-delta')

  const ends: string[] = []
  const found: { host?: Host } = {}
  const setup = (host: Host) => {
    found.host = host
    return {}
  }
  await using second = await testApp({
    plugins: [
      officePlugin({ turn: { after: async ({ text }, { outcome }) => void ends.push(`${text} ${outcome}`) } }),
      samplePlugin('watch', { setup }),
    ],
    model: scriptedModel(['next']),
    env: { DATABASE_URL: databaseUrl, ORACLE_MNEMONIC: mnemonic },
  })
  const actor = testActor(second.app, Date.now, key)
  const sessionOf = async () => (await actor.request('/sessions/s1')).json()
  expect((await sessionOf()).runningTurn).toBeDefined()
  const send = () => actor.request('/chat', { json: { id: 's1', message: 'and' } })
  expect((await send()).status).toBe(409)

  const followed = await found.host!.turns.follow(key.did, (await sessionOf()).runningTurn)
  const events = followed!.events[Symbol.asyncIterator]()
  const seen = async (type: string) => {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.event.type === type) return next.value
    }
    throw new Error(`The turn ended before '${type}'.`)
  }
  await seen('text-delta')

  await first.end('SIGKILL')
  const resumed = await seen('data-resumed')
  expect(resumed.event).toMatchObject({ data: { after: 0 } })
  expect(await followed!.finished).toMatchObject({ outcome: 'done', text: 'next' })
  await expect.poll(() => ends).toEqual(['hello done'])
  const { messages } = await sessionOf()
  expect(messages[1]).toMatchObject({ role: 'assistant', metadata: { outcome: 'done' }, parts: [{}, { text: 'next' }] })
})
