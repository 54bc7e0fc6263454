import { definePlugin, type Host } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { withoutFence } from './answer-schema.ts'

const schema = { type: 'object', properties: { depth: { type: 'number' } }, required: ['depth'] }

const boot = async (steps: readonly ScriptedStep[]) => {
  const model = scriptedModel(steps)
  let host: Host | undefined
  const plugin = definePlugin({
    name: 'desk',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Desk', summary: 'Asks.', whenToUse: ['someone asks'] },
    setup(given) {
      host = given
      return {}
    },
  })
  const oracle = await testApp({ plugins: [plugin], model })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const ask = (outputSchema: object, rest: object = {}) =>
    oracle.actor.request('/chat', { json: { id: 's1', message: 'How deep?', outputSchema, ...rest } })
  return { oracle, model, ask, host: () => host! }
}

test('the text of an answer with a schema is JSON, in one piece', async () => {
  const { ask } = await boot(['{"depth": 4}'])
  const { text, events } = await readStream(await ask(schema))
  expect(text).toBe('{"depth": 4}')
  expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(1)
  expect(events.map(({ type }) => type).slice(-3)).toEqual(['text-end', 'finish-step', 'finish'])
})

test('an answer of another form is asked for once more, and no one reads it', async () => {
  const { ask, oracle, model } = await boot(['It is deep.', '{"depth":4}'])
  expect((await readStream(await ask(schema))).text).toBe('{"depth":4}')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Your answer was rejected: it is not JSON')
  expect(JSON.stringify(await (await oracle.actor.request('/sessions/s1')).json())).not.toContain('It is deep.')
})

test('a second answer of another form fails the turn', async () => {
  const { ask, model } = await boot(['It is deep.', '{"depth":"deep"}', 'unused'])
  const { last } = await readStream(await ask(schema))
  expect(last).toMatchObject({ type: 'error', code: 'answer_invalid' })
  expect(model.calls).toHaveLength(2)
})

test('tools run before an answer with a schema', async () => {
  const { ask, model } = await boot([['Let me see. ', { tool: 'list_capabilities', input: {} }], '{"depth":4}'])
  expect((await readStream(await ask(schema))).text).toBe('{"depth":4}')
  expect(model.calls).toHaveLength(2)
})

test.each([
  ['an unknown type', { type: 'depth' }],
  ['too many characters', { type: 'object', description: 'x'.repeat(32_000) }],
])('a schema with %s is refused', async (_, invalid) => {
  const { ask } = await boot([])
  const answer = await ask(invalid)
  expect([answer.status, (await answer.json()).code]).toEqual([400, 'output_schema_invalid'])
})

test('a pattern of a caller is not checked, since it could take forever', async () => {
  const { ask } = await boot([`{"well":"${'a'.repeat(40)}!"}`])
  const slow = { type: 'object', properties: { well: { type: 'string', pattern: '^(a+)+$' } } }
  expect((await readStream(await ask(slow))).text).toContain('aaaa')
})

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/$defs/a${level + 1}` }
    return [`a${level}`, { anyOf: [next, next] }]
  }),
)

test.each([
  ['alternatives double at each reference', { $ref: '#/$defs/a0', $defs: { ...doubling, a40: { type: 'string' } } }],
  [
    'alternatives are many for many items',
    {
      type: 'array',
      items: { anyOf: Array.from({ length: 900 }, (_, minLength) => ({ type: 'string', minLength: minLength + 9 })) },
    },
  ],
  ['a reference leads to itself', { $ref: '#' }],
])('a schema whose %s does not block the oracle', async (_, slow) => {
  const { ask, model } = await boot([JSON.stringify(Array.from({ length: 3_000 }, () => 'a')), 'unused'])
  const { last } = await readStream(await ask(slow))
  expect(last).toMatchObject({ type: 'error', code: 'answer_invalid' })
  expect(model.calls).toHaveLength(1)
})

test('an answer in a fence is read, and one without its end does not block the oracle', async () => {
  const { ask } = await boot(['```json\n\n{"depth":4}\n```'])
  expect((await readStream(await ask(schema))).text).toBe('{"depth":4}')
  // In square time this takes hours.
  expect(withoutFence(`\`\`\`${'\n'.repeat(2_000_000)}x`)).toContain('x')
})

test('checks wait for each other, and too many of one caller are refused', async () => {
  const { ask } = await boot([])
  const slow = () => ask({ $ref: '#/$defs/a0', $defs: { ...doubling, a40: { type: 'depth' } } })
  const answers = await Promise.all(Array.from({ length: 20 }, slow))
  const codes = await Promise.all(answers.map(async answer => (await answer.json()).code))
  expect(new Set(codes)).toEqual(new Set(['output_schema_invalid', 'answer_checks_busy']))
})

test('a plugin gives a schema in zod', async () => {
  const { host, oracle } = await boot(['{"depth":-1}', '{"depth":4}'])
  const { turns } = host()
  const { did } = oracle.actor
  const started = await turns.run({
    actor: { did, via: 'ucan', scopes: ['*'] },
    session: 's2',
    text: 'How deep?',
    outputSchema: z.object({ depth: z.number().positive() }),
    channel: 'task',
    whenBusy: 'queue',
    approvals: 'deny',
  })
  if ('refused' in started) throw new Error(started.refused.detail)
  expect((await started.finished).text).toBe('{"depth":4}')
})
