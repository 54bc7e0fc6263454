import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { Tool } from '@sibyl/plugin'
import {
  delegatedActor,
  readStream,
  type ScriptedStep,
  scriptedModel,
  type TestApp,
  testActor,
  testApp,
} from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, decide, partOf, questionsOf } from '../testing/approval-questions.ts'
import { callWith } from '../testing/call-with.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const revoked = 'was not run: The delegation behind this authorization was revoked.'

/** Starts an oracle whose tool `pay` requires approval and `look` does not. Both record their runs. */
const play = async (steps: readonly ScriptedStep[], env: Readonly<Record<string, string>> = {}) => {
  const ran: string[] = []
  const tool = (name: string, more: Partial<Tool>): Tool => ({
    description: `Does ${name}.`,
    input: z.object({}),
    effect: 'read',
    execute: async () => ran.push(name),
    ...more,
  })
  const tools = { pay: tool('pay', { approval: 'user', ability: 'desk/pay' }), look: tool('look', {}) }
  const oracle = await testApp({ plugins: [officePlugin({ tools })], model: scriptedModel(steps), env })
  return { oracle, ran, [Symbol.asyncDispose]: () => oracle.app.close() }
}

/** Returns a device that acts for the holder of a key, and that user with their own key. */
const deviceAt = async ({ app }: TestApp) => {
  const key = createSigningKey()
  const device = await delegatedActor(app, { key }, { abilities: ['*', 'auth/impersonate'] })
  const ask = async () => {
    const stream = await readStream(await device.request('/chat', { json: { id: 's1', message: 'go' } }))
    return questionsOf(stream)[0]?.approvalId
  }
  return { device, ask, owner: testActor(app, Date.now, key) }
}

test('a turn whose grant has ended runs no tool after a denial', async () => {
  await using app = await play([{ tool: 'pay' }, { tool: 'look', id: 'c1' }, 'sorry'])
  const { device, ask, owner } = await deviceAt(app.oracle)
  const question = await ask()
  await device.revoke()
  expect((await readStream(await decide(app.oracle, question, { decision: 'deny' }, owner))).text).toBe('sorry')
  expect(app.ran).toEqual([])
  expect(await partOf(app.oracle, 'c1', owner)).toMatchObject({ errorText: `'look' ${revoked}` })
})

test('an approved turn ends with the grant of its caller, also while it runs', async () => {
  const gate = Promise.withResolvers<void>()
  const asks = [{ wait: gate.promise }, { tool: 'look', id: 'c1' }]
  await using app = await play([{ tool: 'pay' }, asks, 'sorry'])
  const { device, ask, owner } = await deviceAt(app.oracle)
  const continues = await decide(app.oracle, await ask(), { decision: 'once' }, owner)
  await device.revoke()
  gate.resolve()
  expect((await readStream(continues)).text).toBe('sorry')
  expect(app.ran).toEqual(['pay'])
  expect(await partOf(app.oracle, 'c1', owner)).toMatchObject({ errorText: `'look' ${revoked}` })
})

test('a further question of that turn cannot be approved once the grant of its caller has ended', async () => {
  await using app = await play([{ tool: 'pay' }, { tool: 'pay' }, 'end'])
  const { device, ask, owner } = await deviceAt(app.oracle)
  const continues = await readStream(await decide(app.oracle, await ask(), { decision: 'once' }, owner))
  const [further] = questionsOf(continues)
  await device.revoke()
  expect(await codeOf(await decide(app.oracle, further?.approvalId, { decision: 'once' }, owner))).toEqual([
    403,
    'grant_revoked',
  ])
  expect(app.ran).toEqual(['pay'])
})

test.each([
  ['*', ['pay', 'look']],
  ['chat/send+session/read', ['look']],
  ['desk/pay+session/read', []],
])('an approval grants no more than the requesting API key has now: %s', async (scopes, ran) => {
  using folder = temporaryFolder()
  const person = createSigningKey()
  const key = 'key-of-the-shop-0123456789'
  const env = (held: string) => ({
    DATABASE_URL: folder.databaseUrl,
    ORACLE_MNEMONIC: mnemonic,
    ORACLE_API_KEYS: `shop:${key}:${held}:${person.did}`,
  })
  const mnemonic = createMnemonic(12).reveal()
  let question: string | undefined
  {
    await using app = await play([{ tool: 'pay' }], env('*'))
    const answer = await callWith(app.oracle, key, 'POST', '/chat', { id: 's1', message: 'go' })
    question = questionsOf(await readStream(answer))[0]?.approvalId
  }
  await using app = await play([{ tool: 'look' }, 'done'], env(scopes))
  const owner = testActor(app.oracle.app, Date.now, person)
  const stream = await readStream(await decide(app.oracle, question, { decision: 'once' }, owner))
  expect([app.ran, stream.text]).toEqual([ran, 'done'])
})
