import { randomBytes } from 'node:crypto'
import type { OracleAppOptions } from '@sibyl/core'
import { definePlugin, defineTool, type Tool } from '@sibyl/plugin'
import { createVault } from '@sibyl/plugin/sealing'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createPhonePeople } from '../people/phone-people.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import type { UssdStorage, UssdTables } from '../storage/ussd-tables.ts'
import { ussdMigrations } from '../storage/ussd-tables.ts'
import { createQuestions } from './create-questions.ts'
import { forgetQuestions } from './question-store.ts'
import type { Questions } from './questions.ts'

const day = 24 * 60 * 60 * 1000
const phone = { phoneNumber: '+260971234567', customerId: '123456782' }
const mnemonic = `${'abandon '.repeat(11)}about`
const vault = createVault({ current: randomBytes(32) })

interface Asked extends AsyncDisposable {
  readonly questions: Questions
  readonly storage: UssdStorage
  readonly clock: { time: number }
}

const oracleOf = async (
  options: Omit<OracleAppOptions, 'plugins'> & { readonly plugins?: OracleAppOptions['plugins'] },
) => {
  const clock = { time: Date.UTC(2026, 10, 21) }
  let made: Pick<Asked, 'questions' | 'storage'> | undefined
  const plugin = definePlugin<never, UssdTables>({
    name: 'ussd',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Phones', summary: 'Phones.', whenToUse: ['never'] },
    migrations: ussdMigrations,
    setup(host) {
      const people = createPhonePeople(host.storage, vault, host.identity)
      const questions = createQuestions({
        host: { ...host, clock: { now: () => clock.time } },
        vault,
        people,
        origins: { of: () => undefined },
        keptMs: day,
      })
      made = { questions, storage: host.storage }
      return {}
    },
  })
  const { app } = await testApp({ ...options, plugins: [plugin, ...(options.plugins ?? [])] })
  return { ...made!, clock, [Symbol.asyncDispose]: () => app.close() } satisfies Asked
}

const asking = (steps: readonly ScriptedStep[], options: Partial<OracleAppOptions> = {}) => {
  const model = scriptedModel(steps)
  return oracleOf({ model, ...options }).then(asked => ({ ...asked, model }))
}

await onEachEngine('questions to the oracle', engine => {
  const opened: AsyncDisposable[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
  })
  const open = async (steps: readonly ScriptedStep[], url?: string, env: Record<string, string> = {}) => {
    const asked = await asking(steps, { env: { DATABASE_URL: url ?? (await engine.emptyDatabase()), ...env } })
    opened.push(asked)
    return asked
  }

  test('are answered in plain text, and the last one can be read again', async () => {
    const { questions } = await open(['It is **14 °C**.', 'Yes.'])
    expect(await questions.last(phone)).toBeUndefined()
    expect(await questions.ask({ ...phone, question: 'How warm is it?', idempotencyKey: 'a' })).toEqual({
      kind: 'answered',
      text: 'It is 14 C.',
    })
    expect(await questions.last(phone)).toMatchObject({
      question: 'How warm is it?',
      answer: { kind: 'answered', text: 'It is 14 C.' },
    })
    await questions.ask({ ...phone, question: 'Is that warm?', idempotencyKey: 'b' })
    expect(await questions.last(phone)).toMatchObject({ question: 'Is that warm?', answer: { text: 'Yes.' } })
  })

  test('are one turn under one key, concurrently and later', async () => {
    const { questions, model } = await open(['Once.'])
    const ask = () => questions.ask({ ...phone, question: 'Hello?', idempotencyKey: 'same' })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect([...answers, await ask()]).toEqual(Array.from({ length: 4 }, () => ({ kind: 'answered', text: 'Once.' })))
    expect(model.calls.length).toBe(1)
  })

  test('continue one conversation, and another customer of the phone has another one', async () => {
    const { questions, model } = await open(['One.', 'Two.', 'Three.'])
    await questions.ask({ ...phone, question: 'My name is Ada', idempotencyKey: 'a' })
    await questions.ask({ ...phone, question: 'Who am I?', idempotencyKey: 'b' })
    const other = { ...phone, customerId: '987654324' }
    expect(await questions.last(other)).toBeUndefined()
    await questions.ask({ ...other, question: 'Who am I?', idempotencyKey: 'c' })
    const prompts = model.calls.map(({ prompt }) => JSON.stringify(prompt))
    expect(prompts.map(prompt => prompt.includes('My name is Ada'))).toEqual([true, true, false])
    for (const prompt of prompts) expect(prompt).not.toMatch(/260971234567|123456782|987654324/)
  })

  test('can be polled when they are answered late; a second one must wait', async () => {
    const gate = Promise.withResolvers<void>()
    const { questions, model } = await open([[{ wait: gate.promise }, 'It rains.']])
    const first = questions.ask({ ...phone, question: 'Does it rain?', idempotencyKey: 'a' })
    await expect.poll(() => model.calls.length).toBe(1)
    expect(await questions.ask({ ...phone, question: 'And now?', idempotencyKey: 'b' })).toEqual({
      kind: 'refused',
      reason: 'busy',
    })
    const style = questions.last(phone)
    gate.resolve()
    expect(await first).toEqual({ kind: 'answered', text: 'It rains.' })
    expect(await style).toMatchObject({ question: 'Does it rain?', answer: { kind: 'answered', text: 'It rains.' } })
    expect(model.calls.length).toBe(1)
  })

  test('are answered by the next process when one ends', async () => {
    const env = { DATABASE_URL: await engine.emptyDatabase(), ORACLE_MNEMONIC: mnemonic }
    const before = await asking([[{ wait: new Promise(() => {}) }]], { env })
    const lost = before.questions.ask({ ...phone, question: 'Does it rain?', idempotencyKey: 'a' })
    await expect.poll(() => before.model.calls.length).toBe(1)
    const refused = expect(lost).rejects.toMatchObject({ code: 'turn_handed_over' })
    await before[Symbol.asyncDispose]()
    await refused
    await using after = await asking(['It rains.'], { env })
    const again = await after.questions.ask({ ...phone, question: 'Does it rain?', idempotencyKey: 'a' })
    expect(again).toEqual({ kind: 'answered', text: 'It rains.' })
    expect(after.model.calls.length).toBe(1)
  })

  test('say that something may be done when a turn fails whose tool may have acted', async () => {
    const pay = defineTool({
      description: 'Pays.',
      input: z.object({}),
      effect: 'write',
      execute: async () => 'paid',
    }) as Tool
    const shop = definePlugin({
      name: 'shop',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Shop', summary: 'Sells.', whenToUse: ['someone pays'], load: 'always' },
      setup: () => ({ tools: { pay } }),
    })
    const env = { DATABASE_URL: await engine.emptyDatabase() }
    const fails = () => {
      throw new Error('away')
    }
    await using asked = await asking([{ tool: 'pay', input: {} }, fails], { env, plugins: [shop] })
    const answer = await asked.questions.ask({ ...phone, question: 'Pay it', idempotencyKey: 'a' })
    expect(answer).toEqual({ kind: 'acted' })
    expect(await asked.questions.last(phone)).toMatchObject({ answer: { kind: 'acted' } })
  })

  test('are read from their turn when a crash prevented that the answer was stored', async () => {
    const { questions, storage, model } = await open(['It rains.'])
    await questions.ask({ ...phone, question: 'Does it rain?', idempotencyKey: 'a' })
    await storage.write(tx => tx.updateTable('ussd_questions').set({ outcome: null, answer: null }).execute())
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await questions.last(phone)).toMatchObject({ answer: { kind: 'answered', text: 'It rains.' } })
    }
    expect(await questions.export(phone.phoneNumber)).toMatchObject([{ answer: 'It rains.' }])
    expect(model.calls.length).toBe(1)
  })

  test('are stored sealed, and no row contains phone or customer', async () => {
    const { questions, storage } = await open(['Rain all over Lusaka.'])
    await questions.ask({ ...phone, question: 'What will it be?', idempotencyKey: 'a' })
    const rows = JSON.stringify(await storage.read.selectFrom('ussd_questions').selectAll().execute())
    expect(rows).toContain('answered')
    expect(rows).not.toMatch(/Rain all|What will|260971234567|123456782/)
  })

  test('are deleted when they expire, and when a newer one is answered', async () => {
    const { questions, storage, clock } = await open(['One.', 'Two.', 'Three.'])
    const count = async () => (await storage.read.selectFrom('ussd_questions').select('id').execute()).length
    await questions.ask({ ...phone, question: 'One?', idempotencyKey: 'a' })
    clock.time += 1000
    await questions.ask({ ...phone, question: 'Two?', idempotencyKey: 'b' })
    expect(await count()).toBe(1)
    clock.time += day + 1
    expect(await questions.last(phone)).toBeUndefined()
    await questions.ask({ phoneNumber: '+260971111111', question: 'Three?', idempotencyKey: 'c' })
    await forgetQuestions(storage, { now: () => clock.time }, new AbortController().signal)
    expect(await count()).toBe(1)
  })

  test('can be exported and erased by phone number', async () => {
    const { questions, storage } = await open(['Rain.', 'Sun.'])
    await questions.ask({ ...phone, question: 'Here?', idempotencyKey: 'a' })
    await questions.ask({ phoneNumber: '+260971111111', question: 'There?', idempotencyKey: 'b' })
    expect(await questions.export(phone.phoneNumber)).toMatchObject([{ question: 'Here?', answer: 'Rain.' }])
    await storage.write(questions.erase(phone.phoneNumber))
    expect(await questions.export(phone.phoneNumber)).toEqual([])
    expect(await questions.last(phone)).toBeUndefined()
    expect(await questions.export('+260971111111')).toMatchObject([{ question: 'There?' }])
  })
})

describe('a question that cannot be answered', () => {
  const ask = async (options: Partial<OracleAppOptions>) => {
    await using asked = await oracleOf(options)
    const answer = await asked.questions.ask({ ...phone, question: 'Hello?', idempotencyKey: 'a' })
    return { answer, last: await asked.questions.last(phone) }
  }

  test('is rejected if there is no signing key', async () => {
    expect(await ask({ env: { ORACLE_MNEMONIC: '' } })).toEqual({
      answer: { kind: 'refused', reason: 'not-set-up' },
      last: undefined,
    })
  })

  test('is rejected if there is no model', async () => {
    expect(await ask({ env: { NODE_ENV: 'production' } })).toEqual({
      answer: { kind: 'refused', reason: 'not-set-up' },
      last: undefined,
    })
  })

  test('is rejected if the token budget of the day is used up', async () => {
    const model = scriptedModel([[{ usage: { inputTokens: 5000, outputTokens: 0 } }, 'Yes.']])
    await using asked = await oracleOf({ model, env: { TOKEN_BUDGET_DID_PER_DAY: '1000' } })
    await asked.questions.ask({ ...phone, question: 'One?', idempotencyKey: 'a' })
    expect(await asked.questions.ask({ ...phone, question: 'Two?', idempotencyKey: 'b' })).toEqual({
      kind: 'refused',
      reason: 'budget',
    })
    expect(await asked.questions.last(phone)).toMatchObject({ question: 'One?' })
  })

  test.each([
    [402, 'credit'],
    [403, 'unavailable'],
  ] as const)('rejected by a plugin with %i', async (status, reason) => {
    const guard = definePlugin({
      name: 'guard',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Guard', summary: 'Guards.', whenToUse: ['never'] },
      setup: () => ({ turn: { before: async () => ({ status, code: 'not_today', detail: 'Not today.' }) } }),
    })
    expect((await ask({ model: scriptedModel([]), plugins: [guard] })).answer).toEqual({ kind: 'refused', reason })
  })

  test('is rejected if the model fails', async () => {
    const { answer, last } = await ask({ model: scriptedModel([{ error: new Error('no') }]) })
    expect(answer).toEqual({ kind: 'failed' })
    expect(last).toMatchObject({ question: 'Hello?', answer: { kind: 'failed' } })
  })
})
