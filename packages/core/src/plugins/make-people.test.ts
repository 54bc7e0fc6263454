import type { Host, PersonalRecords } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import type { JsonValue } from '@sibyl/protocol'
import { scriptedModel, testApp, wholeExport } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { makePeople } from './make-people.ts'

const never = new Promise<never>(() => {})

/** Creates the stored records of a plugin about people. */
const store = (entries: Readonly<Record<string, JsonValue>>): PersonalRecords & { kept: Map<string, JsonValue> } => {
  const kept = new Map(Object.entries(entries))
  return { kept, export: async did => kept.get(did), erase: async did => void kept.delete(did) }
}

const holder = (name: string, personalRecords: PersonalRecords, setup: (host: Host) => void = () => {}) =>
  samplePlugin(name, {
    setup: host => {
      setup(host)
      return { personalRecords }
    },
  })

test('exports and erases everything stored of a person and of no one else, and ends their turns', async () => {
  let people: Host['people'] | undefined
  const model = scriptedModel(['hello', 'hi', ['a', { wait: never }]])
  const [notes, letters] = [store({}), store({})]
  await using oracle = await testApp({
    model,
    plugins: [
      holder('notes', notes, host => {
        people = host.people
      }),
      holder('letters', letters),
      samplePlugin('bare'),
    ],
  })
  const { actor } = oracle
  const other = 'did:key:z6MkOther'
  notes.kept.set(actor.did, [{ text: 'grows maize' }]).set(other, 'theirs')
  letters.kept.set(other, 1)
  await oracle.chat('good morning', { session: 's1' })
  expect(await wholeExport(people!, actor.did)).toEqual({
    sessions: [
      {
        session: 's1',
        messages: [
          { role: 'user', text: 'good morning', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
          { role: 'assistant', text: 'hello', at: expect.any(String) },
        ],
      },
    ],
    core: {
      delegations: [],
      apiKeys: [],
      bearers: [],
      grants: [],
      revocations: [],
      tokens: [{ day: expect.any(String), tokens: expect.any(Number) }],
    },
    notes: [{ text: 'grows maize' }],
  })
  await oracle.chat('again', { session: 's2' })
  const running = oracle.chat('and once more', { session: 's2' })
  await expect.poll(() => model.calls.length).toBe(3)
  await people!.erase(actor.did)
  expect((await running).last?.type).toBe('abort')
  await people!.erase(actor.did)
  expect(await wholeExport(people!, actor.did)).toEqual({ sessions: [] })
  expect(await wholeExport(people!, other)).toEqual({ sessions: [], notes: 'theirs', letters: 1 })
})

test('exports and erases the records of a plugin whose contributions are a class', async () => {
  let people: Host['people'] | undefined
  const kept = new Map([['did:key:z6MkA', 'grows maize']])
  class Parts {
    readonly #kept = kept
    get personalRecords(): PersonalRecords {
      return { export: async did => this.#kept.get(did), erase: async did => void this.#kept.delete(did) }
    }
  }
  const plugin = samplePlugin('notes', {
    setup: host => {
      people = host.people
      return new Parts()
    },
  })
  await using _oracle = await testApp({ plugins: [plugin] })
  expect(await wholeExport(people!, 'did:key:z6MkA')).toMatchObject({ notes: 'grows maize' })
  await people!.erase('did:key:z6MkA')
  expect(kept.size).toBe(0)
})

test('tries each plugin, and one error names those that failed', async () => {
  const logger = recordedLogger()
  const erased: string[] = []
  const fine = { export: async () => 'kept', erase: async () => void erased.push('fine') }
  const fail = () => {
    throw new Error('hunter2')
  }
  const records = (given: Record<string, PersonalRecords>) =>
    makePeople({
      turns: {
        forPlugins: { forget: async () => fail() },
        sessions: { list: async () => [], messages: async () => [] },
      },
      core: store({}),
      isOracle: async () => false,
      isHeld: async () => false,
      plugins: () => Object.entries(given).map(([name, records]) => ({ name, records })),
      log: logger,
      limitMs: 20,
    })
  const broken = records({
    slow: { export: () => never, erase: () => never },
    fine,
    torn: { export: async () => fail(), erase: fail as never },
  })
  await expect(broken.export('did:key:z6MkA')).rejects.toMatchObject({
    code: 'personal_records_failed',
    status: 503,
    facts: { parts: ['torn', 'slow'] },
  })
  const failure = (await broken.erase('did:key:z6MkA').catch((error: unknown) => error)) as Error
  expect(failure.message).toMatch(/not completely erased: sessions, torn, slow failed/)
  expect(failure.message).not.toContain('hunter2')
  expect(erased).toEqual(['fine'])
  expect(logger.lines.map(({ message, fields }) => [message, fields.plugin])).toEqual([
    ['the export of the data of a person failed', 'torn'],
    ['the export of the data of a person took too long', 'slow'],
    ['the erasure of the data of a person failed', undefined],
    ['the erasure of the data of a person failed', 'torn'],
    ['the erasure of the data of a person took too long', 'slow'],
  ])
  expect(JSON.stringify(logger.lines)).not.toContain('z6MkA')
})

test('has no records while plugins are set up', async () => {
  let early: Promise<unknown> | undefined
  const plugin = holder('early', store({}), ({ people }) => {
    early = people.export('did:key:z6MkA').catch((error: unknown) => error)
  })
  await using _oracle = await testApp({ plugins: [plugin] })
  expect(await early).toMatchObject({ code: 'not_booted' })
})
