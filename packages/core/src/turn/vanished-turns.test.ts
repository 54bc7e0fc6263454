import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Storage } from '@sibyl/storage'
import { sharePostgres } from '@sibyl/storage/testing'
import { readStream, scriptedModel, type TestActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import type { CoreTables } from '../database/core-tables.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { type SharedOracle, startSharedOracle } from '../testing/start-shared-oracle.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

/** Starts two processes on one database; the hooks of the first delay turns while it runs. */
const two = async () => {
  const folder = temporaryFolder()
  const journal = join(folder.path, 'journal.txt')
  const key = createSigningKey()
  const common = {
    databaseUrl: (await postgres?.createDatabase()) ?? '',
    mnemonic: createMnemonic(12).reveal(),
    journal,
  }
  const start = (hangingBefore: number) => startSharedOracle({ ...common, hangingBefore }, key)
  const [slow, other] = await Promise.all([start(20), start(0)])
  return {
    slow,
    other,
    /** Resolves once the slow process calls its hook for a message. */
    asked: (text: string) => expect.poll(() => readFileSync(journal, 'utf8')).toContain(`before ${text}\n`),
    async [Symbol.asyncDispose]() {
      await Promise.all([slow, other].map(one => one[Symbol.asyncDispose]()))
      folder[Symbol.dispose]()
    },
  }
}

/** Returns the session of a text. */
const sessionOf = (text: string) => text.replace(' ', '-')

const send = (actor: TestActor, text: string, id: string) =>
  actor.request('/chat', {
    json: { id: sessionOf(text), message: { id, role: 'user', parts: [{ type: 'text', text }] } },
  })

const rolesAt = async ({ actor }: SharedOracle, text: string) => {
  const { messages } = await (await actor.request(`/sessions/${sessionOf(text)}`)).json()
  return messages.map(({ role }: { role: string }) => role)
}

describe.skipIf(postgres === undefined)('a turn whose process is killed before it was admitted', () => {
  test('is started again by the same message at another process, and cannot be resumed without it', async () => {
    await using at = await two()
    const broken = ['hello', 'good day'].map(text => send(at.slow.actor, text, 'm1').catch(() => undefined))
    await Promise.all(['hello', 'good day'].map(at.asked))
    const [again, twice] = [send(at.other.actor, 'hello', 'm1'), send(at.other.actor, 'hello', 'm1')]
    const resumed = at.other.actor.request(`/chat/${sessionOf('good day')}/stream`)
    await at.slow.end('SIGKILL')
    await Promise.all(broken)
    for (const answer of [await again, await twice]) {
      const { text, last } = await readStream(answer)
      expect([text, last?.type]).toEqual(['you said hello', 'finish'])
    }
    expect(await rolesAt(at.other, 'hello')).toEqual(['user', 'assistant'])
    // There is nothing to read.
    expect((await resumed).status).toBe(204)
  })
})

test('a turn that waits for its hooks sends pings meanwhile', async () => {
  const beats: number[] = []
  const watching = (name: string) =>
    samplePlugin(name, {
      setup: ({ storage }) => ({
        turn: {
          async before({ id }) {
            const { read } = storage as unknown as Storage<CoreTables>
            const heartbeat = async () =>
              Number(
                (await read.selectFrom('core_turns').select('heartbeat_at').where('id', '=', id).executeTakeFirst())
                  ?.heartbeat_at,
              )
            const first = await heartbeat()
            const until = performance.now() + 1_900
            while ((await heartbeat()) === first && performance.now() < until) await pause(50)
            beats.push((await heartbeat()) - first)
            return undefined
          },
        },
      }),
    })
  await using oracle = await testApp({
    plugins: ['one', 'two', 'three'].map(watching),
    model: scriptedModel(['hello']),
  })
  expect((await readStream(await send(oracle.actor, 'hi', 'm1'))).text).toBe('hello')
  expect(Math.max(...beats)).toBeGreaterThan(0)
})
