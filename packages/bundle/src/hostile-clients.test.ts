/** @module-tag long */
import { getEventListeners, once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { definePlugin, defineTool, type Host } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Adapter, adapters, type Wire } from './adapters.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'

const all = Object.entries(adapters)
const keyOf = (index: number): string => `key-of-door-number-${index}`
/** How a test waits for what a busy machine may take long to do. */
const patience = { interval: 50 }
const operatorToken = 'operator-token-of-the-tests-01'

const start = async (step: ScriptedStep = 'hello', env: Readonly<Record<string, string>> = {}) => {
  const host = Promise.withResolvers<Host>()
  const notes = definePlugin({
    name: 'notes',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Notes', summary: 'Notes.', whenToUse: ['someone notes'], load: 'always' },
    setup(given) {
      host.resolve(given)
      const write = defineTool({
        description: 'Writes.',
        input: z.object({ text: z.string().max(1_000) }),
        effect: 'write',
        approval: 'user',
        execute: async () => 'written',
      })
      return { tools: { write_note: write } }
    },
  })
  const model = scriptedModel(Array.from({ length: 5_000 }, () => (typeof step === 'function' ? step : () => step)))
  const oracle = await testApp({
    plugins: [notes],
    adapters: bundledAdapters(),
    model,
    env: {
      ORACLE_API_KEYS: all.map((_, index) => `n${index}:${keyOf(index)}:*:did:example:n${index}`).join(','),
      ORACLE_OPERATOR_TOKEN: operatorToken,
      TOKEN_BUDGET_DID_PER_DAY: '0',
      TOKEN_BUDGET_ORACLE_PER_DAY: '0',
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  const post = (adapter: Adapter, key: string, body: object | string) =>
    fetch(`${url}${adapter.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...adapter.headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  /** Sends a message and closes the connection once the answer matches. */
  const vanish = async (adapter: Adapter, key: string, pattern: RegExp, message = 'hi') => {
    const sent = request(`${url}${adapter.streamPath ?? adapter.path}`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...adapter.headers },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify(adapter.body(message, { isStreamed: true })))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk
      if (pattern.test(text)) break
    }
    sent.destroy()
    expect(text).toMatch(pattern)
  }
  const get = async (path: string, key: string) =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })).text()
  const turnsThatRun = async () =>
    Number(/^sibyl_running_turns (\d+)$/m.exec(await get('/metrics', operatorToken))?.[1])
  return { oracle, model, post, vanish, get, turnsThatRun, host: await host.promise }
}

/** Returns a rejection as a client reads it: MCP has the facts of a refused turn in `data` of its error. */
const refusalOf = async (adapter: Adapter, response: Response) => {
  const text = await response.text()
  const json = text.startsWith('{') ? text : (text.match(/^data: (\{.*\})$/m)?.[1] ?? text)
  const body: Wire = JSON.parse(json)
  const { status = response.status, retryAfterSeconds = response.headers.get('retry-after') } = body.error?.data ?? {}
  return { status, code: adapter.code(body), retryAfter: Number(retryAfterSeconds) }
}

describe.each(all)('a client of %s', (name, adapter) => {
  const index = all.findIndex(([one]) => one === name)
  const key = keyOf(index)

  test('reads the limit of its requests', async () => {
    const { post } = await start('hello', { RATE_LIMIT_DID_PER_MINUTE: '2' })
    for (const text of ['one', 'two']) expect((await post(adapter, key, adapter.body(text))).status).toBe(200)
    const { retryAfter, ...refusal } = await refusalOf(adapter, await post(adapter, key, adapter.body('three')))
    expect(refusal).toEqual({ status: 429, code: 'rate_limited' })
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  test('reads that its budget is used', async () => {
    const { post } = await start('hello', { TOKEN_BUDGET_DID_PER_DAY: '1' })
    expect(await (await post(adapter, key, adapter.body('one'))).text()).toContain('hello')
    const { retryAfter, ...refusal } = await refusalOf(adapter, await post(adapter, key, adapter.body('two')))
    expect(refusal).toEqual({ status: 429, code: 'token_budget_used' })
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(86_400)
  })

  test('reads that its space is used, and what it stores is counted until it is erased', async () => {
    const { post, host } = await start('hello', { CONVERSATIONS_QUOTA_MB: '1' })
    const { storage, limits, people } = host
    const did = `did:example:n${index}`
    const counted = async () =>
      (
        await sql<{ name: string }>`
        select did as name, bytes from core_stored_bytes
        union all select name, bytes from core_stored_sums where name not like '% all:%'`.execute(storage.read)
      ).rows
    const text = 'x'.repeat(10_000)
    expect((await (await post(adapter, key, adapter.body(text))).text()).length).toBeGreaterThan(0)
    await expect.poll(counted, patience).toEqual([
      { name: did, bytes: expect.toSatisfy(bytes => bytes > 20_000 && bytes < 60_000) },
      { name: `conversations holder:${did}`, bytes: expect.any(Number) },
    ])
    await storage.write(tx => limits.countStored(tx, [{ did, bytes: 999_000 }]))
    const { status, code } = await refusalOf(adapter, await post(adapter, key, adapter.body(text)))
    expect([status, code]).toEqual([507, 'conversations_quota_reached'])
    await people.erase(did)
    expect(await counted()).toEqual([])
  })

  test('reads what is wrong with its body', async () => {
    const { post } = await start()
    const rejected = async (body: object | string) => {
      const { status, code } = await refusalOf(adapter, await post(adapter, key, body))
      return [status, code]
    }
    const whole = JSON.stringify(adapter.body('hi'))
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`
    expect(await rejected(`{"deep":${deep},${whole.slice(1)}`)).toEqual([400, 'json_too_deep'])
    expect(await rejected(`{"large":"${'x'.repeat(10_000_000)}",${whole.slice(1)}`)).toEqual([413, 'body_too_large'])
    // JSON-RPC of A2A answers what it cannot parse with status 200.
    expect(await rejected(whole.slice(0, -1))).toEqual([adapter.path === '/a2a' ? 200 : 400, 'json_invalid'])
    expect(await (await post(adapter, key, adapter.body('hi'))).text()).toContain('hello')
  })

  test('reads why a turn failed whose model called a tool with 10 MB of arguments', async () => {
    const steps = [[{ tool: 'write_note', input: { text: 'x'.repeat(10_000_000) } }], 'hello']
    const { post, turnsThatRun } = await start(() => steps.shift() as 'hello')
    const text = await (await post(adapter, key, adapter.body('write'))).text()
    expect(text.length).toBeLessThan(10_000)
    expect(text).toContain('The answer exceeded the size limit of this oracle. Ask for less.')
    expect(text).toContain('turn_too_large')
    expect(await turnsThatRun()).toBe(0)
    expect(await (await post(adapter, key, adapter.body('hi'))).text()).toContain('hello')
  })

  // The other paths are in the same adapter as one of these.
  const isFirstOfAdapter = !['/v1/chat/completions', '/a2a/message:send'].includes(name)
  test.runIf(isFirstOfAdapter)(
    'leaves nothing behind when it disconnects in the middle of an answer, 40 times',
    { tags: 'long' },
    async () => {
      let gate = Promise.withResolvers<void>()
      const { vanish, turnsThatRun, host, model } = await start(() => ['one and ', { wait: gate.promise }, 'two'])
      const warnings: Error[] = []
      const warn = (warning: Error) => void warnings.push(warning)
      process.on('warning', warn)
      onTestFinished(() => void process.off('warning', warn))
      const round = async () => {
        gate = Promise.withResolvers()
        await Promise.all(Array.from({ length: 20 }, (_, place) => vanish(adapter, key, /one|Writing/, `hi ${place}`)))
        await expect.poll(turnsThatRun, patience).toBe(adapter.goesOn ? 20 : 0)
        gate.resolve()
        await expect.poll(turnsThatRun, patience).toBe(0)
        // The test's model keeps what it was sent.
        ;(model.calls as unknown[]).length = 0
      }
      for (let count = 0; count < 2; count += 1) await round()
      const before = leftBehind(host)
      for (let count = 0; count < 2; count += 1) await round()
      await expect.poll(() => leftBehind(host).handles, patience).toBeLessThanOrEqual(before.handles + 3)
      const after = leftBehind(host)
      expect(after.listeners).toBe(before.listeners)
      // Turns that stay have 20 kB each, with their streams.
      expect(after.heap - before.heap).toBeLessThan(650_000)
      expect(warnings).toEqual([])
    },
  )

  test('is rejected once its key is revoked, and what it had asked for cannot be approved', async () => {
    const steps: ScriptedStep[] = ['hello', { tool: 'write_note', input: { text: 'a' } }]
    const { oracle, post, get } = await start(() => (steps.shift() ?? 'again') as 'again')
    const made = await oracle.actor.request('/api-keys', { json: { name: 'client' } })
    const { key: stored, id } = (await made.json()) as { readonly key: string; readonly id: string }
    expect(await (await post(adapter, stored, adapter.body('hi'))).text()).toContain('hello')
    await (await post(adapter, stored, adapter.body('write'))).text()
    const inbox = JSON.parse(await get('/approvals', stored)) as Wire
    const [approval] = inbox.approvals
    expect((await oracle.actor.request(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204)
    const refused = await post(adapter, stored, adapter.body('more'))
    expect(refused.headers.get('www-authenticate')).not.toBeNull()
    expect(await refusalOf(adapter, refused)).toMatchObject({ status: 401, code: 'credential_rejected' })
    const decided = await oracle.actor.request(`/chat/${approval.sessionId}/approvals/${approval.id}`, {
      json: { decision: 'once' },
    })
    expect([decided.status, (await decided.json()).code]).toEqual([403, 'grant_removed'])
  })
})

/** Returns what stays of clients that disconnected: heap in bytes, open handles, and listeners of the end of the oracle. */
const leftBehind = (host: Host) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return {
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    listeners: getEventListeners(host.ending, 'abort').length,
  }
}

test('a tool of a client that never answers gets an error as its result, and the turn goes on', {
  tags: 'long',
}, async () => {
  const { model, post, get } = await start(
    ({ prompt }) =>
      JSON.stringify(prompt).includes('no result within') ? 'went on' : { tool: 'read_sensor', input: {} },
    { CLIENT_TOOL_TIME_LIMIT_SECONDS: '1' },
  )
  const withTools = all.flatMap(([, adapter], index) => (adapter.tool ? [{ door: adapter, key: keyOf(index) }] : []))
  for (const { door, key } of withTools) {
    const body = door.body('read', { tools: [door.tool!('read_sensor')] })
    expect(await (await post(door, key, body)).text()).toContain('read_sensor')
  }
  await expect.poll(() => model.calls.length).toBe(2 * withTools.length)
  for (const { key } of withTools) {
    const [session] = (JSON.parse(await get('/sessions', key)) as Wire).sessions
    await expect.poll(() => get(`/sessions/${session.id}`, key), patience).toContain('went on')
    expect(await get(`/sessions/${session.id}`, key)).toContain('It returned no result within 1 s.')
  }
  expect(model.calls.at(-1)?.tools).not.toContain('read_sensor')
})
