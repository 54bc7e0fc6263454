import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { definePlugin, defineTool, type OraclePlugin, PersonNeeded, type TurnEnd } from '@sibyl/plugin'
import { files } from '@sibyl/plugin-files'
import { skills } from '@sibyl/plugin-skills'
import { type ScriptedCall, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { mcpServer } from './mcp-server.ts'

const key = 'k-0123456789abcdef'

type Options = Partial<Parameters<typeof testApp>[0]>

/** What a user answers to a form. */
type Form = { readonly message: string; readonly requestedSchema?: unknown }
type Elicit = (form: Form) => { action: 'accept' | 'decline'; content?: Record<string, string | number | boolean> }

/** What the tests need of a client of either revision. */
interface TestClient {
  tools(): Promise<string[]>
  call(
    name: string,
    input?: Record<string, unknown>,
    options?: { readonly meta?: Record<string, unknown>; readonly signal?: AbortSignal; onprogress?(p: unknown): void },
  ): Promise<{ content: unknown; structuredContent?: unknown; isError?: unknown }>
  /** Resolves when the list of tools has changed. */
  readonly changed: Promise<void>
  readonly raw: Pick<Client, 'close' | 'listPrompts' | 'getPrompt' | 'listResources' | 'readResource'>
}

type Connect = (url: string, options?: { readonly apiKey?: string; readonly elicit?: Elicit }) => Promise<TestClient>

/** The client of revision 2026-07-28. */
const connectNew: Connect = async (url, { apiKey = key, elicit } = {}) => {
  const changed = Promise.withResolvers<void>()
  const options: ClientOptions = {
    capabilities: elicit ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: 'auto' },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() } },
  }
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  if (elicit) client.setRequestHandler('elicitation/create', async ({ params }) => elicit(params as Form))
  const headers = { authorization: `Bearer ${apiKey}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input = {}, { meta, ...rest } = {}) =>
      client.callTool({ name, arguments: input, ...(meta ? { _meta: meta } : {}) }, rest),
    changed: changed.promise,
    raw: client,
  }
}

/** A client of revision 2025-11-25. */
const connectOld: Connect = async (url, { apiKey = key, elicit } = {}) => {
  const changed = Promise.withResolvers<void>()
  const client = new OldClient({ name: 'test', version: '1.0.0' }, { capabilities: elicit ? { elicitation: {} } : {} })
  if (elicit) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => elicit(params as Form))
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => changed.resolve())
  const headers = { authorization: `Bearer ${apiKey}` }
  const transport = new OldTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  await client.connect(transport as Parameters<OldClient['connect']>[0])
  onTestFinished(() => client.close())
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input = {}, { meta, ...rest } = {}) =>
      client.callTool({ name, arguments: input, ...(meta ? { _meta: meta } : {}) }, undefined, rest) as ReturnType<
        TestClient['call']
      >,
    changed: changed.promise,
    raw: client as unknown as TestClient['raw'],
  }
}

const start = async ({ env, ...options }: Options = {}) => {
  const oracle = await testApp({
    plugins: [],
    adapters: [mcpServer()],
    config: { name: 'Field Oracle' },
    ...options,
    env: { ORACLE_API_KEYS: `app:${key}:*`, HOST: '127.0.0.1', PORT: '0', ...env },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  return { oracle, url }
}

const payExample = { user: 'Pay {amount}', tool: 'shop_pay', args: { amount: '{amount}' }, answer: 'Paid.' }

const plugin = (name: string, setup: OraclePlugin['setup'], load: 'always' | 'on-demand' = 'always') =>
  definePlugin({
    name,
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: `The ${name}`,
      summary: `The ${name} of the tests.`,
      whenToUse: ['a test needs it'],
      load,
      ...(name === 'shop' ? { examples: [payExample] } : {}),
    },
    setup,
  })

/** A tool that asks before it pays, and one that only reads. */
const shop = () => {
  const paid: { amount: number; key: string }[] = []
  const ends: TurnEnd[] = []
  const tools = {
    shop_pay: defineTool({
      description: 'Pays an amount.',
      input: z.object({ amount: z.number() }),
      output: z.object({ paid: z.number() }),
      effect: 'write',
      approval: 'user',
      describe: ({ amount }) => `Pay ${amount} €`,
      async execute({ amount }, { idempotencyKey }) {
        paid.push({ amount, key: idempotencyKey })
        return { paid: amount, secret: 'removed by the schema' }
      },
    }),
    shop_look: defineTool({
      description: 'Looks at an item.',
      input: z.object({ item: z.string() }),
      effect: 'read',
      execute: async ({ item }) => `seen ${item}`,
    }),
    shop_date: defineTool({
      description: 'Asks for a date.',
      input: z.object({}),
      effect: 'read',
      async execute(_, { answer }) {
        const properties = { date: { type: 'string' } }
        if (!answer) throw new PersonNeeded({ text: 'Which date?', schema: { type: 'object', properties } })
        return answer.accepted ? { ...(answer.data as object) } : { declined: true }
      },
    }),
  }
  const turn = {
    async after(_: unknown, end: TurnEnd) {
      ends.push(end)
    },
  }
  return { plugin: plugin('shop', () => ({ tools, turn })), paid, ends }
}

const textOf = ({ content }: { readonly content: unknown }) =>
  (content as { readonly text?: string }[]).map(({ text }) => text).join('')

describe.each<[string, Connect]>([
  ['2026-07-28', connectNew],
  ['2025-11-25', connectOld],
])('a client of revision %s', (_, connect) => {
  test('calls tools with structured results, and reads what is wrong with its arguments', async () => {
    const { plugin, ends } = shop()
    const { url, oracle } = await start({ plugins: [plugin] })
    const client = await connect(url)
    expect(await client.tools()).toEqual([
      'ask_oracle',
      'list_capabilities',
      'load_capability',
      'shop_pay',
      'shop_look',
      'shop_date',
    ])
    const seen = await client.call('shop_look', { item: 'pump' })
    expect([textOf(seen), seen.structuredContent]).toEqual(['seen pump', undefined])
    const listed = await client.call('list_capabilities')
    expect(listed.structuredContent).toMatchObject({ capabilities: [{ name: 'shop', loaded: true }] })
    const wrong = await client.call('shop_look', { item: 3 })
    expect(wrong.isError).toBe(true)
    expect(textOf(wrong)).toContain('item: Invalid input: expected string')
    await expect(client.call('rm', {})).rejects.toMatchObject({ code: -32602 })
    await expect
      .poll(() => ends.map(({ model, tools, outcome }) => ({ model, tools, outcome })))
      .toEqual([
        { model: 'none', tools: { shop_look: 1 }, outcome: 'done' },
        { model: 'none', tools: { list_capabilities: 1 }, outcome: 'done' },
        { model: 'none', tools: {}, outcome: 'done' },
      ])
    const stored = await oracle.app.request('/sessions/mcp', { headers: { authorization: `Bearer ${key}` } })
    const { messages } = (await stored.json()) as { messages: { role: string; parts: { type: string }[] }[] }
    expect(messages.map(({ role, parts }) => [role, parts.at(-1)?.type])).toEqual([
      ['assistant', 'tool-shop_look'],
      ['assistant', 'tool-list_capabilities'],
      ['assistant', expect.stringMatching(/^(tool-shop_look|dynamic-tool)$/)],
    ])
  })

  test('approves by a form, or denies', async () => {
    const { plugin, paid } = shop()
    const { url } = await start({ plugins: [plugin] })
    const forms: Form[] = []
    let decision = 'once'
    const client = await connect(url, {
      elicit: form => {
        forms.push(form)
        return decision === 'decline' ? { action: 'decline' } : { action: 'accept', content: { decision } }
      },
    })
    const first = await client.call('shop_pay', { amount: 5 })
    expect(first.structuredContent).toEqual({ paid: 5 })
    expect(forms[0]).toMatchObject({ message: 'Pay 5 €\n\namount: 5', requestedSchema: { required: ['decision'] } })
    for (decision of ['deny', 'decline']) {
      const denied = await client.call('shop_pay', { amount: 6 })
      expect([denied.isError, textOf(denied)]).toEqual([true, 'The user denied this call. It was not run.'])
    }
    decision = 'session'
    await client.call('shop_pay', { amount: 7 })
    await client.call('shop_pay', { amount: 8 })
    expect(forms).toHaveLength(4)
    expect(paid.map(({ amount }) => amount)).toEqual([5, 7, 8])
  })

  test('answers what a tool asks while it runs', async () => {
    const { url } = await start({ plugins: [shop().plugin] })
    const client = await connect(url, { elicit: () => ({ action: 'accept', content: { date: '2026-12-01' } }) })
    expect((await client.call('shop_date')).structuredContent).toEqual({ date: '2026-12-01' })
  })

  test('without forms, reads how to approve; the call runs with the decision', async () => {
    const { plugin, paid } = shop()
    const { url, oracle } = await start({ plugins: [plugin] })
    const client = await connect(url)
    const asked = await client.call('shop_pay', { amount: 9 })
    expect(asked.isError).toBe(true)
    const [, path] = textOf(asked).match(/Pay 9 €\n\namount: 9\n\nTo approve it: POST (\S+)/) ?? []
    await client.call('shop_look', { item: 'pump' })
    expect(paid).toEqual([])
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const decided = await oracle.app.request(path!, { method: 'POST', headers, body: '{"decision":"once"}' })
    expect(await decided.text()).toContain('"paid":9')
    expect(paid.map(({ amount }) => amount)).toEqual([9])
  })

  test('runs a whole turn with progress, continues its session, and approves within it', async () => {
    const { plugin, paid } = shop()
    const model = scriptedModel([
      [{ tool: 'shop_look', input: { item: 'pump' } }],
      'It leaks.',
      [{ tool: 'shop_pay', input: { amount: 3 } }],
      'Paid.',
    ])
    const { url } = await start({ plugins: [plugin], model })
    const client = await connect(url, { elicit: () => ({ action: 'accept', content: { decision: 'once' } }) })
    const progress: unknown[] = []
    const first = await client.call(
      'ask_oracle',
      { message: 'How is the pump?' },
      { onprogress: p => progress.push(p) },
    )
    const { session, ...rest } = first.structuredContent as { session: string }
    expect(rest).toMatchObject({ answer: 'It leaks.' })
    expect(progress[0]).toMatchObject({ progress: 1, message: 'Calling shop_look' })
    const second = await client.call('ask_oracle', { message: 'Pay 3', session })
    expect([textOf(second), paid.length]).toEqual(['Paid.', 1])
    expect(model.calls.at(-1)?.prompt.filter(({ role }) => role === 'user')).toHaveLength(2)
  })

  test('loads a capability, hears that the tools changed, and calls several at once', async () => {
    const running = new Set<string>()
    const together = Promise.withResolvers<void>()
    const meet = defineTool({
      description: 'Waits for another call.',
      input: z.object({ id: z.string() }),
      effect: 'read',
      async execute({ id }) {
        running.add(id)
        if (running.size === 3) together.resolve()
        await together.promise
        return id
      },
    })
    const { url } = await start({ plugins: [plugin('lobby', () => ({ tools: { lobby_meet: meet } }), 'on-demand')] })
    const client = await connect(url)
    expect(await client.tools()).not.toContain('lobby_meet')
    await client.call('load_capability', { names: ['lobby'] })
    await client.changed
    expect(await client.tools()).toContain('lobby_meet')
    const calls = await Promise.all(['a', 'b', 'c'].map(id => client.call('lobby_meet', { id })))
    expect(calls.map(textOf)).toEqual(['a', 'b', 'c'])
  })

  test('a call with an idempotency key runs once', async () => {
    const { plugin, paid } = shop()
    const { url } = await start({ plugins: [plugin] })
    const client = await connect(url, { elicit: () => ({ action: 'accept', content: { decision: 'session' } }) })
    await client.call('shop_pay', { amount: 1 })
    const meta = { 'sibyl/idempotencyKey': 'pay-42' }
    const results = [
      await client.call('shop_pay', { amount: 2 }, { meta }),
      await client.call('shop_pay', { amount: 2 }, { meta }),
    ]
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual([{ paid: 2 }, { paid: 2 }])
    expect(paid.map(({ amount }) => amount)).toEqual([1, 2])
  })

  test('a whole turn with an idempotency key runs once, also if its connection is lost', async () => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const wait = defineTool({
      description: 'Waits.',
      input: z.object({}),
      effect: 'write',
      async execute() {
        runs += 1
        begun.resolve()
        await gate.promise
        return 'ready'
      },
    })
    const model = scriptedModel([{ tool: 'lobby_wait', input: {} }, 'Ready.', 'Ready again.'])
    const { url } = await start({ plugins: [plugin('lobby', () => ({ tools: { lobby_wait: wait } }))], model })
    const meta = { 'sibyl/idempotencyKey': 'ask-42' }
    const lost = await connect(url)
    const first = lost.call('ask_oracle', { message: 'Wait' }, { meta }).catch(() => 'lost')
    await begun.promise
    await lost.raw.close()
    expect(await first).toBe('lost')
    const client = await connect(url)
    const repeated = client.call('ask_oracle', { message: 'Wait' }, { meta })
    gate.resolve()
    const answer = (await repeated).structuredContent
    expect(answer).toMatchObject({ answer: 'Ready.' })
    expect((await client.call('ask_oracle', { message: 'Wait' }, { meta })).structuredContent).toEqual(answer)
    await expect(client.call('ask_oracle', { message: 'Other' }, { meta })).rejects.toThrow('another message')
    expect(runs).toBe(1)
  })

  test('reads its own sessions and files, and the prompts of manifests', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-mcp-files-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { url, oracle } = await start({
      plugins: [shop().plugin, files(), skills()],
      env: { ORACLE_API_KEYS: `app:${key}:*,other:o-0123456789abcdef:*`, FILES_DIR: folder },
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/markdown', 'if-none-match': '*' }
    const put = await oracle.app.request('/files/content?path=reports%2Fa%20b.md', {
      method: 'PUT',
      headers,
      body: '# Pumps',
    })
    expect(put.status).toBeLessThan(300)
    const client = await connect(url)
    await client.call('ask_oracle', { message: 'hello' })
    const listed = (await client.raw.listResources()).resources
    const [skill, ...others] = listed.filter(({ uri }) => uri.startsWith('sibyl://skills/'))
    expect((await client.raw.readResource({ uri: skill!.uri })).contents[0]).toMatchObject({
      mimeType: 'text/markdown',
    })
    const resources = listed.slice(0, listed.length - others.length - 1)
    expect(resources.map(({ title, name, uri }) => [title ?? name, uri])).toEqual([
      ['hello', expect.stringMatching(/^sibyl:\/\/sessions\/mcp_/)],
      ['reports/a b.md', 'sibyl://files/reports/a%20b.md'],
    ])
    const [session, file] = await Promise.all(resources.map(({ uri }) => client.raw.readResource({ uri })))
    expect(session?.contents[0]).toMatchObject({ text: expect.stringContaining('hello') })
    expect(file?.contents[0]).toMatchObject({ mimeType: 'text/markdown', text: '# Pumps' })
    const other = await connect(url, { apiKey: 'o-0123456789abcdef' })
    expect((await other.raw.listResources()).resources).toHaveLength(others.length + 1)
    for (const { uri } of resources) await expect(other.raw.readResource({ uri })).rejects.toThrow(/not found/i)
    expect((await client.raw.listPrompts()).prompts).toContainEqual(
      expect.objectContaining({ name: 'shop_pay', arguments: [{ name: 'amount', required: true }] }),
    )
    const { messages } = await client.raw.getPrompt({ name: 'shop_pay', arguments: { amount: '3' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Pay 3' } }])
    await expect(client.raw.getPrompt({ name: 'shop_pay', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  test('is refused with the status and the code of the oracle', async () => {
    const { url } = await start({ plugins: [shop().plugin], env: { TOKEN_BUDGET_DID_PER_DAY: '1' } })
    const client = await connect(url)
    await client.call('ask_oracle', { message: 'hello' })
    const data = { status: 429, code: 'token_budget_used' }
    await expect(client.call('shop_look', { item: 'a' })).rejects.toMatchObject({ data })
    await expect(client.call('ask_oracle', { message: 'hi' })).rejects.toMatchObject({ data })
  })
})

test.each([['chat/send'], ['chat/*'], ['chat/send+notes/write'], ['*']])(
  'with the scopes %s, the tools are those that the model has in a chat',
  async scopes => {
    const tool = (ability?: string | string[]) =>
      defineTool({
        description: 'Does something.',
        input: z.object({}),
        effect: 'read',
        ...(ability === undefined ? {} : { ability }),
        execute: async () => 'done',
      })
    const tools = { note_any: tool(), note_write: tool('notes/write'), note_own: tool(['notes/read', 'chat/personal']) }
    const offered: string[][] = []
    const model = scriptedModel([
      ({ tools: names }: ScriptedCall) => {
        offered.push([...names])
        return 'done'
      },
    ])
    const env = { ORACLE_API_KEYS: `app:${key}:${scopes}` }
    const { url } = await start({ plugins: [plugin('notes', () => ({ tools }))], model, env })
    const client = await connectNew(url)
    await client.call('ask_oracle', { message: 'hello' })
    expect((await client.tools()).filter(name => name !== 'ask_oracle')).toEqual(offered[0])
    for (const name of Object.keys(tools)) {
      const called = client.call(name)
      if (offered[0]?.includes(name)) expect(textOf(await called)).toBe('done')
      else await expect(called).rejects.toMatchObject({ code: -32602 })
    }
  },
)

test('a call stops when its client closes the connection', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  const wait = defineTool({
    description: 'Waits.',
    input: z.object({}),
    effect: 'read',
    async execute(_, { signal }) {
      begun.resolve(signal)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
  })
  const { url } = await start({ plugins: [plugin('room', () => ({ tools: { room_wait: wait } }))] })
  const client = await connectNew(url)
  const controller = new AbortController()
  const call = client.call('room_wait', {}, { signal: controller.signal })
  const signal = await begun.promise
  const aborted = new Promise(resolve => signal.addEventListener('abort', resolve))
  controller.abort()
  await expect(call).rejects.toThrow()
  await aborted
})

test('a tool of a plugin cannot take the name ask_oracle', async () => {
  const fake = defineTool({ description: 'Fake.', input: z.object({}), effect: 'read', execute: async () => 'fake' })
  const { url } = await start({ plugins: [plugin('fake', () => ({ tools: { ask_oracle: fake } }))] })
  const client = await connectNew(url)
  expect((await client.tools()).filter(name => name === 'ask_oracle')).toHaveLength(1)
  expect(textOf(await client.call('ask_oracle', { message: 'hello' }))).not.toBe('fake')
})

describe('invalid requests', () => {
  const send = (url: string, body: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
      ...(signal ? { signal } : {}),
    })

  const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await send(url, body, headers)
    return { status: answer.status, body: (await answer.json()) as { error: { code: number } }, answer }
  }

  const initialize = (protocolVersion = '2025-06-18') =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } },
    })

  /** Begins a session of an older client; returns the headers of its requests. */
  const begin = async (url: string, authorization: string) => {
    const begun = await send(url, initialize('2025-11-25'), { authorization })
    await begun.text()
    return { authorization, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  }

  /** Follows changes of the tools, in revision 2026-07-28. */
  const subscribe = async (url: string, apiKey = key) => {
    const leaving = new AbortController()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const method = 'subscriptions/listen'
    const params = { notifications: { toolsListChanged: true }, _meta }
    const answer = await send(
      url,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      { authorization: `Bearer ${apiKey}`, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
      leaving.signal,
    )
    return { answer, leave: () => leaving.abort() }
  }

  const lobby = () => {
    const style = defineTool({
      description: 'Looks.',
      input: z.object({}),
      effect: 'read',
      execute: async () => 'seen',
    })
    return plugin('lobby', () => ({ tools: { lobby_look: style } }), 'on-demand')
  }

  const loadLobby = JSON.stringify({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'load_capability', arguments: { names: ['lobby'] } },
  })

  test('are answered in the form of JSON-RPC', async () => {
    const { url } = await start()
    expect(await post(url, '{"jsonrpc')).toMatchObject({ status: 400, body: { error: { code: -32700 } } })
    expect(await post(url, '[]')).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    expect(await post(url, '{"id":1}')).toMatchObject({ status: 400 })
    const many = Array.from({ length: 11 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }))
    expect(await post(url, JSON.stringify(many))).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { a: 'x'.repeat(10_000_000) } })
    expect(await post(url, large)).toMatchObject({ status: 413, body: { error: { data: { code: 'body_too_large' } } } })
    const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
    expect(await post(url, deep)).toMatchObject({ status: 400, body: { error: { data: { code: 'json_too_deep' } } } })
    const locked = await post(url, initialize(), { authorization: 'Bearer other' })
    expect([locked.status, locked.answer.headers.has('www-authenticate')]).toEqual([401, true])
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} }
    expect(await post(url, JSON.stringify(call))).toMatchObject({ status: 400, body: { error: { code: -32000 } } })
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' }
    const unknown = JSON.stringify({ ...call, params: { _meta: meta } })
    expect(await post(url, unknown, { 'mcp-protocol-version': '2031-01-01' })).toMatchObject({ status: 400 })
  })

  test('a session belongs to its caller, and an unknown one is to be initialized again', async () => {
    const { url } = await start({ env: { ORACLE_API_KEYS: `app:${key}:*,other:o-0123456789abcdef:*` } })
    const begun = await send(url, initialize())
    expect(await begun.text()).toContain('"protocolVersion":"2025-06-18"')
    const session = begun.headers.get('mcp-session-id') ?? ''
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} })
    const as = (apiKey: string, id: string) => ({ authorization: `Bearer ${apiKey}`, 'mcp-session-id': id })
    expect(await post(url, list, as('o-0123456789abcdef', session))).toMatchObject({ status: 404 })
    expect(await post(url, list, as(key, 'unknown'))).toMatchObject({ status: 404, body: { error: { code: -32001 } } })
    const ended = await fetch(`${url}/mcp`, { method: 'DELETE', headers: as(key, session) })
    expect(ended.status).toBe(200)
    expect(await post(url, list, as(key, session))).toMatchObject({ status: 404 })
  })

  test('a client hears of tools that changed before its stream of notifications opened', async () => {
    const { url } = await start({ plugins: [lobby()] })
    const headers = await begin(url, `Bearer ${key}`)
    expect(await (await send(url, loadLobby, headers)).text()).toContain('lobby_look')
    const changes = await fetch(`${url}/mcp`, { headers: { accept: 'text/event-stream', ...headers } })
    const stream = changes.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await stream.read()).value).toContain('notifications/tools/list_changed')
    await stream.cancel()
  })

  test('a client whose key was revoked hears nothing more, and its session ends', async () => {
    const { url, oracle } = await start({ plugins: [lobby()] })
    const created = await oracle.actor.request('/api-keys', { json: { name: 'm', scopes: ['chat/send'] } })
    const { key: own, id } = await created.json()
    const headers = await begin(url, `Bearer ${own}`)
    const changes = await fetch(`${url}/mcp`, { headers: { accept: 'text/event-stream', ...headers } })
    expect((await oracle.actor.request(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204)
    const other = await begin(url, `Bearer ${await oracle.actor.token(['chat/send'])}`)
    const authorization = `Bearer ${await oracle.actor.token(['chat/send'])}`
    expect(await (await send(url, loadLobby, { ...other, authorization })).text()).toContain('lobby_look')
    expect(await changes.text()).not.toContain('list_changed')
  })

  test('ends the connection of a subscription whose key was revoked', async () => {
    const { url, oracle } = await start({ plugins: [lobby()] })
    const created = await oracle.actor.request('/api-keys', { json: { name: 'm', scopes: ['chat/send'] } })
    const { key: own, id } = await created.json()
    const { answer } = await subscribe(url, own)
    expect((await oracle.actor.request(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204)
    const other = await begin(url, `Bearer ${await oracle.actor.token(['chat/send'])}`)
    const authorization = `Bearer ${await oracle.actor.token(['chat/send'])}`
    expect(await (await send(url, loadLobby, { ...other, authorization })).text()).toContain('lobby_look')
    expect(await answer.text()).not.toContain('list_changed')
  })

  test('a session of an older client keeps nothing, and its stream only while it is open', async () => {
    const listeners = new Set<() => void>()
    const adapter = mcpServer()
    const counting = {
      ...adapter,
      setup: (host: Parameters<typeof adapter.setup>[0]) =>
        adapter.setup({
          ...host,
          turns: {
            ...host.turns,
            onToolsChanged(did, session, listener) {
              const stop = host.turns.onToolsChanged(did, session, listener)
              listeners.add(listener)
              return () => {
                listeners.delete(listener)
                stop()
              }
            },
          },
        }),
    }
    const { url } = await start({ adapters: [counting] })
    const rejected = await post(url, initialize(), { accept: 'application/json' })
    const session = await begin(url, `Bearer ${key}`)
    expect([rejected.status, listeners.size]).toEqual([406, 0])
    const leaving = new AbortController()
    const changes = await fetch(`${url}/mcp`, { headers: session, signal: leaving.signal })
    expect([changes.status, listeners.size]).toEqual([200, 1])
    leaving.abort()
    await expect.poll(() => listeners.size).toBe(0)
  })

  test.each([
    ['*/*'],
    ['application/*, text/*'],
    ['Application/JSON;q=0.9, text/event-stream; q=0.1'],
    ['text/html, */*;q=0.8'],
  ])('takes the header Accept: %s', async accept => {
    const { url } = await start()
    const begun = await send(url, initialize(), { accept })
    expect([begun.status, (await begun.text()).includes('"protocolVersion":"2025-06-18"')]).toEqual([200, true])
  })

  test.each([['text/html'], ['*/*, text/event-stream;q=0']])('answers the header Accept: %s with 406', async accept => {
    const { url } = await start()
    expect((await send(url, initialize(), { accept })).status).toBe(406)
  })

  test('a caller follows changes on 32 connections, and on another one once it closed one', async () => {
    const { url } = await start({
      env: { ORACLE_API_KEYS: `app:${key}:*,other:o-0123456789abcdef:*:did:example:other` },
    })
    const listen = (apiKey?: string) => subscribe(url, apiKey)
    const open = await Promise.all(Array.from({ length: 32 }, () => listen()))
    expect(new Set(open.map(({ answer }) => answer.status))).toEqual(new Set([200]))
    const { answer: refused } = await listen()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await listen('o-0123456789abcdef')).answer.status).toBe(200)
    open[0]?.leave()
    await expect.poll(async () => (await listen()).answer.status).toBe(200)
  })

  test('more requests than the limit are answered with 429', async () => {
    const { url } = await start({ env: { RATE_LIMIT_PER_MINUTE: '2' } })
    const all = await Promise.all([1, 2, 3].map(() => post(url, '{"x')))
    expect(all.map(({ status }) => status).toSorted()).toEqual([400, 400, 429])
  })
})
