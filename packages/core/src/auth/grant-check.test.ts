import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { type Actor, defineTool, type Host, route, type Tool } from '@sibyl/plugin'
import type { Access } from '@sibyl/plugin/host'
import { sharePostgres } from '@sibyl/storage/testing'
import { delegatedActor, readStream, scriptedModel, type TestActor, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, decide, questionsOf } from '../testing/approval-questions.ts'
import { callWith } from '../testing/call-with.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const key = 'key-of-the-shop-0123456789'

/** Creates a plugin that returns its caller, by an ability or by its own API key, and runs turns for given actors. */
const office = (write: () => Promise<unknown> = async () => undefined, more: Partial<Tool> = {}) => {
  const host = Promise.withResolvers<Host>()
  const who = (path: string, access: Access) =>
    route.get(path, { auth: access, summary: 'A route', ok: { 200: { description: 'who' } } }, c =>
      c.json(c.get('actor')),
    )
  const tool = defineTool({
    description: 'Writes.',
    input: z.object({}),
    effect: 'write',
    execute: async () => {
      await write()
      return 'written'
    },
  })
  const plugin = samplePlugin('desk', {
    manifest: { ...samplePlugin('desk').manifest, load: 'always' },
    setup(given: Host) {
      host.resolve(given)
      const routes = [who('/desk', { ucan: 'desk/look' }), who('/desk/key', { apiKey: 'DESK_API_KEYS' })]
      return { routes, tools: { write: { ...tool, ...more } as Tool } }
    },
  })
  return { plugin, host: host.promise }
}

const whoIs = async (actor: Pick<TestActor, 'request'>) => (await (await actor.request('/desk')).json()) as Actor

const run = async (host: Promise<Host>, actor: Actor) => {
  const started = await (await host).turns.run({
    actor,
    session: 's1',
    text: 'go',
    channel: 'task',
    whenBusy: 'queue',
    approvals: 'deny',
  })
  return 'refused' in started ? started.refused.code : (await started.finished).text
}

describe('the grant of an actor that a plugin stored', () => {
  test('is valid while no link of its chain has ended', async () => {
    const { plugin, host } = office()
    const controller = createSigningKey()
    const env = { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did }
    await using app = await testApp({ plugins: [plugin], model: scriptedModel(['fine', 'fine']), env })
    const helper = await delegatedActor(app.app, { key: controller })
    const stored = await whoIs(helper)
    expect(stored).toMatchObject({ did: helper.did, holder: helper.did, grant: { root: controller.did } })
    expect(await (await host).grants.check(stored)).toEqual({ holds: true, actor: stored })
    expect(await run(host, stored)).toBe('fine')
    const phone: Actor = { did: helper.did, via: 'ussd', scopes: ['chat/send'] }
    expect(await (await host).grants.check(phone)).toEqual({ holds: true, actor: phone })
  })

  test.each(['open', 'delegated'])('ends when a link of its chain is revoked, with %s access', async access => {
    const { plugin, host } = office()
    const root = createSigningKey()
    const env = { ORACLE_ACCESS: access, ORACLE_CONTROLLERS: root.did }
    await using app = await testApp({ plugins: [plugin], model: scriptedModel(['fine']), env })
    const first = await delegatedActor(app.app, { key: root })
    const further = await delegatedActor(app.app, first)
    const stored = await whoIs(further)
    expect((await first.revoke()).status).toBe(200)
    expect(await (await host).grants.check(stored)).toEqual({
      holds: false,
      refusal: {
        status: 403,
        code: 'grant_revoked',
        detail: 'The delegation behind this authorization was revoked.',
      },
    })
    expect(await run(host, stored)).toBe('grant_revoked')
    expect((await further.request('/sessions')).status).toBe(401)
  })

  test('ends when a link of its chain expires', async () => {
    const { plugin, host } = office()
    let time = Date.now()
    const root = createSigningKey()
    const now = () => time
    await using app = await testApp({ plugins: [plugin], model: scriptedModel(['fine']), clock: { now } })
    const stored = await whoIs(await delegatedActor(app.app, { key: root }, { lifetimeSeconds: 600, now }))
    time += 650_000
    expect(await run(host, stored)).toBe('fine')
    time += 11_000
    expect(await run(host, stored)).toBe('grant_expired')
  })

  test('ends with the controller that granted it, and when open access becomes delegated', async () => {
    using folder = temporaryFolder()
    const root = createSigningKey()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const boot = async (more: Record<string, string>) => {
      const { plugin, host } = office()
      const app = await testApp({ plugins: [plugin], model: scriptedModel(['fine']), env: { ...env, ...more } })
      return Object.assign(app, { host })
    }
    let stored: Actor
    {
      await using app = await boot({})
      stored = await whoIs(await delegatedActor(app.app, { key: root }))
      expect(await run(app.host, stored)).toBe('fine')
    }
    {
      await using app = await boot({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: root.did })
      expect(await run(app.host, stored)).toBe('fine')
    }
    await using app = await boot({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: createSigningKey().did })
    expect(await run(app.host, stored)).toBe('grant_removed')
  })

  test.each([
    ['ORACLE_API_KEYS', '/desk', 'desk/look+chat/*+memory/read', ['chat/*', 'desk/look', 'memory/read']],
    ['DESK_API_KEYS', '/desk/key', 'chat/*', ['chat/*']],
  ])('of a key of %s ends with it, and never exceeds its current scopes', async (variable, path, scopes, held) => {
    using folder = temporaryFolder()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const boot = async (list: string) => {
      const { plugin, host } = office()
      const app = await testApp({
        plugins: [plugin],
        model: scriptedModel(['fine']),
        env: { ...env, [variable]: list },
      })
      return Object.assign(app, { host })
    }
    let stored: Actor
    {
      await using app = await boot(`shop:${key}:${scopes}`)
      stored = (await (await callWith(app, key, 'GET', path)).json()) as Actor
      expect(stored.scopes.toSorted()).toEqual(held)
      expect(stored.grant).toEqual({ apiKey: { variable, name: 'shop' } })
    }
    const verdict = async (list: string) => {
      await using app = await boot(list)
      const found = await (await app.host).grants.check(stored)
      return found.holds ? found.actor.scopes : found.refusal.code
    }
    expect(await verdict(`shop:another-key-of-the-shop-0123:*`)).toEqual(stored.scopes)
    expect(await verdict(`shop:${key}:chat/send+session/read`)).toEqual(['chat/send'])
    expect(await verdict(`shop:${key}:session/read`)).toEqual([])
    expect(await verdict(`till:${key}:*`)).toBe('grant_removed')
    expect(await verdict(`shop:${key}:*:did:key:z6MkAnother`)).toBe('grant_removed')
    expect(await verdict('')).toBe('grant_removed')
  })
})

describe('a turn that runs while its grant ends', () => {
  test('runs no further tool, and the model reads why', async () => {
    const revoked: (() => Promise<unknown>)[] = []
    let calls = 0
    const { plugin } = office(async () => {
      calls += 1
      await revoked[0]?.()
    })
    const model = scriptedModel([{ tool: 'write' }, { tool: 'write' }, 'sorry'])
    await using app = await testApp({ plugins: [plugin], model })
    const helper = await delegatedActor(app.app, { key: createSigningKey() })
    revoked.push(() => helper.revoke())
    const stream = await readStream(await helper.request('/chat', { json: { message: 'go' } }))
    expect([stream.text, calls]).toEqual(['sorry', 1])
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain(
      "'write' was not run: The delegation behind this authorization was revoked.",
    )
  })

  test('cannot be approved after its grant ended, and can be denied', async () => {
    let calls = 0
    const write = async () => {
      calls += 1
    }
    const { plugin } = office(write, { approval: 'user' })
    const model = scriptedModel([{ tool: 'write' }, { tool: 'write' }, 'ran', 'denied'])
    await using app = await testApp({ plugins: [plugin], model })
    const key = createSigningKey()
    const owner = testActor(app.app, Date.now, key)
    const ask = async (session: string) => {
      const helper = await delegatedActor(app.app, { key }, { abilities: ['*', 'auth/impersonate'] })
      const stream = await readStream(await helper.request('/chat', { json: { id: session, message: 'go' } }))
      return {
        helper,
        answer: (decision: string) => decide(app, questionsOf(stream)[0]?.approvalId, { decision }, owner, session),
      }
    }
    const [good, bad] = [await ask('good'), await ask('bad')]
    await bad.helper.revoke()
    expect((await readStream(await good.answer('once'))).text).toBe('ran')
    expect(await codeOf(await bad.answer('once'))).toEqual([403, 'grant_revoked'])
    expect((await readStream(await bad.answer('deny'))).text).toBe('denied')
    expect(calls).toBe(1)
  })
})

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('a revocation at one ends the grant at the other immediately', async () => {
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const boot = async () => {
      const { plugin, host } = office()
      return Object.assign(await testApp({ plugins: [plugin], model: scriptedModel(['fine']), env }), { host })
    }
    await using one = await boot()
    await using two = await boot()
    const helper = await delegatedActor(one.app, { key: createSigningKey() })
    const stored = await whoIs(helper)
    expect(await run(two.host, stored)).toBe('fine')
    expect((await helper.revoke(one.app)).status).toBe(200)
    expect(await run(two.host, stored)).toBe('grant_revoked')
  })
})
