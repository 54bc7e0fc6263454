import { type Capability, defineTool, type PluginParts, type Tool } from '@sibyl/plugin'
import type { LoadMode } from '@sibyl/plugin/host'
import { recordedLogger } from '@sibyl/plugin/testing'
import { readStream, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const never = new Promise<never>(() => {})

const fail = (): never => {
  throw new Error('hunter2')
}

const ping = defineTool({
  description: 'Answers pong.',
  input: z.object({}),
  effect: 'read',
  execute: async () => 'pong',
}) as Tool

/** Runs a turn of an oracle with a faulty plugin and a working one, whose tool is called. */
const turnWith = async (faulty: PluginParts, load: LoadMode = 'always') => {
  const logger = recordedLogger()
  const model = scriptedModel([{ tool: 'ping' }, 'fine'])
  await using oracle = await testApp({
    plugins: [officePlugin(faulty, 'faulty', load), officePlugin({ tools: { ping } }, 'sound')],
    model,
    logger,
  })
  const stream = await oracle.chat('hi', { session: 's1' })
  const capabilities = await oracle.actor.request('/capabilities')
  expect(capabilities.status).toBe(200)
  expect(await oracle.actor.request('/sessions/s1').then(answer => answer.text())).not.toContain('hunter2')
  expect(JSON.stringify(stream)).not.toContain('hunter2')
  const blamed = logger.lines.flatMap(({ level, message, fields }) =>
    level === 'error' && fields.plugin === 'faulty' ? [message] : [],
  )
  return { ...stream, blamed, tools: model.calls[0]?.tools, prompt: JSON.stringify(model.calls[0]?.prompt) }
}

const expectSound = (turn: Awaited<ReturnType<typeof turnWith>>) => {
  expect([turn.text, turn.last?.type]).toEqual(['fine', 'finish'])
  expect(turn.events.find(({ type }) => type === 'tool-output-available')?.output).toBe('pong')
  expect(turn.tools).toEqual(['list_capabilities', 'load_capability', 'ping'])
}

describe('a hook that never settles is abandoned, and the turn continues', { concurrent: true }, () => {
  for (const [name, parts, violation] of [
    ['tools', { tools: () => never }, 'a plugin failed to list its tools'],
    ['instructions', { instructions: () => never }, 'a plugin failed to return its instructions'],
    ['a before hook', { turn: { before: () => never } }, 'a turn hook failed'],
  ] as [string, PluginParts, string][]) {
    test(name, async () => {
      const turn = await turnWith(parts)
      expectSound(turn)
      expect(turn.blamed).toEqual([violation])
    })
  }
})

describe('tools created per turn', () => {
  const violations: [string, PluginParts['tools']][] = [
    ['throw', fail],
    ['reject', async () => fail()],
    ['are no object', (() => 'tools') as never],
    ['are nothing', (() => undefined) as never],
    ['are a list', (() => [ping]) as never],
    ['have no schema', () => ({ odd: { ...ping, input: {} } }) as never],
    ['are null', () => ({ odd: null }) as never],
    ['have a name that no model takes', () => ({ 'a b': ping })],
    ["take a core tool's name", () => ({ load_capability: ping })],
    ['have a schema of no known kind', () => ({ odd: { ...ping, input: { _zod: {}, safeParse: fail } } }) as never],
  ]
  for (const [name, tools] of violations) {
    test(`are omitted when they ${name}`, async () => {
      expectSound(await turnWith({ tools: tools! }))
    })
  }

  test('keep the first of one name', async () => {
    const turn = await turnWith({ tools: () => ({ ping: { ...ping, execute: async () => 'mine' } }) })
    expect(turn.events.find(({ type }) => type === 'tool-output-available')?.output).toBe('mine')
    expect(turn.tools?.filter(name => name === 'ping').length).toBe(1)
  })
})

describe('capabilities', () => {
  const sound: Capability = {
    name: 'many-one',
    manifest: { title: 'One', summary: 'One of many.', whenToUse: ['always'], load: 'always' },
    tools: () => ({ extra: ping }),
    state: () => 'ready',
  }
  /** Boots with valid values and returns invalid ones afterwards, as at runtime. */
  const laterFaulty = (faulty: () => unknown): PluginParts => {
    let asked = 0
    return { capabilities: () => (asked++ === 0 ? [] : faulty()) as readonly Capability[] }
  }
  const violations: [string, () => unknown][] = [
    ['throw', fail],
    ['are no list', () => 'x'],
    ['are invalid', () => [null, 1, {}]],
    ['have an invalid name', () => [{ ...sound, name: '__proto__' }]],
    ['have an invalid manifest', () => [{ ...sound, manifest: { load: 'always' } }]],
    ["take another plugin's name", () => [{ ...sound, name: 'sound' }]],
    ['have tools that throw', () => [{ ...sound, tools: fail }]],
    ['have tools that are nothing', () => [{ ...sound, tools: () => undefined }]],
  ]
  for (const [name, faulty] of violations) {
    test(`are omitted when they ${name}`, async () => expectSound(await turnWith(laterFaulty(faulty))))
  }

  test('are degraded when their state throws', async () => {
    const turn = await turnWith(laterFaulty(() => [{ ...sound, state: fail }]))
    expect(turn.tools).toEqual(['list_capabilities', 'load_capability', 'many_one_extra', 'ping'])
    expect(turn.last?.type).toBe('finish')
  })
})

describe('instructions', () => {
  for (const [name, instructions] of [
    ['throw', fail],
    ['reject', async () => fail()],
    ['are invalid', async () => ({ slice: fail }) as never],
  ] as [string, PluginParts['instructions']][]) {
    test(`are omitted when they ${name}`, async () => {
      const turn = await turnWith({ instructions: instructions! })
      expectSound(turn)
      expect(turn.blamed).toEqual(['a plugin failed to return its instructions'])
    })
  }

  test('are truncated after a megabyte', async () => {
    const turn = await turnWith({ instructions: async () => 'x'.repeat(1_000_000) })
    expectSound(turn)
    expect(turn.prompt.length).toBeLessThan(20_000)
  })
})

describe('turn hooks', () => {
  const before = (hook: () => unknown): PluginParts => ({ turn: { before: hook as never } })
  const after = (hook: () => unknown): PluginParts => ({ turn: { after: hook as never } })
  for (const [name, parts] of [
    ['a before that throws', before(fail)],
    ['a before that rejects', before(async () => fail())],
    ['a before hook that returns an invalid value', before(async () => ({ status: 200, code: 'x', detail: 'y' }))],
    ['an after that throws', after(fail)],
    ['an after that rejects', after(async () => fail())],
  ] as const) {
    test(`${name} does not stop the turn`, async () => {
      const turn = await turnWith(parts)
      expectSound(turn)
      expect(turn.blamed.length).toBe(1)
    })
  }

  test('an after hook that never settles delays neither the final event nor the next message', async () => {
    const model = scriptedModel(['one', 'two'])
    const oracle = await testApp({ plugins: [officePlugin(after(() => never))], model })
    expect((await oracle.chat('hi', { session: 's1' })).text).toBe('one')
    expect((await oracle.chat('hi', { session: 's1' })).text).toBe('two')
    const stop = await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
    expect(await stop.json()).toEqual({ stopped: false })
  })
})

describe('a rejection', () => {
  const refusal = { status: 402, code: 'credit_needed', detail: 'Top up.', retryAfterSeconds: 60 }
  const refusing = (given: object) => officePlugin({ turn: { before: async () => given as never } })

  test('precedes the first byte and stores nothing', async () => {
    const model = scriptedModel([])
    await using oracle = await testApp({ plugins: [refusing(refusal)], model })
    const refused = await oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } })
    expect(refused.status).toBe(402)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await refused.json()).toMatchObject({ code: 'credit_needed', detail: 'Top up.', status: 402 })
    expect(await (await oracle.actor.request('/sessions')).json()).toEqual({ sessions: [] })
    expect(model.calls.length).toBe(0)
  })

  test('does not change an open question or the last answer', async () => {
    const answers: unknown[] = [undefined, refusal, refusal]
    const pay = { ...ping, approval: 'user' } as Tool
    const plugin = officePlugin({ tools: { pay }, turn: { before: async () => answers.shift() as never } })
    await using oracle = await testApp({ plugins: [plugin], model: scriptedModel([{ tool: 'pay' }, 'paid']) })
    const { events } = await oracle.chat('pay', { session: 's1' })
    const before = await (await oracle.actor.request('/sessions/s1')).json()
    expect((await oracle.actor.request('/chat', { json: { id: 's1', message: 'new' } })).status).toBe(402)
    const regenerate = { id: 's1', trigger: 'regenerate-message' }
    expect((await oracle.actor.request('/chat', { json: regenerate })).status).toBe(402)
    const { updatedAt: _, ...kept } = await (await oracle.actor.request('/sessions/s1')).json()
    expect({ ...before, ...kept }).toEqual(before)
    const { approvalId } = events.find(({ type }) => type === 'tool-approval-request') as unknown as {
      approvalId: string
    }
    const path = `/chat/s1/approvals/${approvalId}`
    expect((await readStream(await oracle.actor.request(path, { json: { decision: 'once' } }))).text).toBe('paid')
  })

  test('is ignored when its members are invalid', async () => {
    for (const invalid of [{ status: 402 }, { ...refusal, status: 500 }, { ...refusal, code: 1 }, 'no', 1, []]) {
      await using oracle = await testApp({ plugins: [refusing(invalid as object)], model: scriptedModel(['fine']) })
      expect((await oracle.chat('hi')).text).toBe('fine')
    }
    const odd = { ...refusal, retryAfterSeconds: '1\r\nset-cookie: x' }
    await using oracle = await testApp({ plugins: [refusing(odd)], model: scriptedModel([]) })
    const refused = await oracle.actor.request('/chat', { json: { message: 'hi' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([402, null])
  })
})

describe('model middleware', () => {
  for (const [name, modelMiddleware] of [
    ['throws', { wrapStream: fail }],
    ['rejects', { wrapStream: async () => fail() }],
    ['returns invalid parameters', { transformParams: async () => undefined }],
    ['returns an invalid value', { wrapStream: async () => ({}) }],
  ] as const) {
    test(`fails the turn with exactly one final error when it ${name}`, async () => {
      const turn = await turnWith({ modelMiddleware: { specificationVersion: 'v4', ...modelMiddleware } as never })
      expect([turn.last?.type, turn.done]).toEqual(['error', true])
      expect(turn.events.filter(({ type }) => ['error', 'finish', 'abort'].includes(type)).length).toBe(1)
    })
  }
})
