import { type ScriptedCall, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'
import { bundledPlugins } from './bundled-plugins.ts'

type Body = Readonly<Record<string, unknown>>

/** The doors at which a turn begins, with the session of each answer. */
const doors: Readonly<Record<string, { path: string; body: object; sessionOf: (answer: Body) => string }>> = {
  completions: {
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'do it all' }] },
    sessionOf: ({ sibyl }) => (sibyl as { session_id: string }).session_id,
  },
  responses: {
    path: '/v1/responses',
    body: { input: 'do it all' },
    sessionOf: ({ conversation }) => (conversation as { id: string }).id,
  },
  a2a: {
    path: '/a2a/message:send',
    body: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'do it all' }] } },
    sessionOf: ({ task }) => (task as { contextId: string }).contextId,
  },
}

const revision = '2026-07-28'

/** Returns a request of the Model Context Protocol, with the headers that it needs. */
const mcpMessage = (method: string, params: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})

/** The headers that repeat a request of the Model Context Protocol. */
const mcpHeaders = (body: object | undefined): Record<string, string> => {
  const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } }
  if (method === undefined) return {}
  const name = params?.name
  return {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}

const chunksOf = (names: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, chunk) => names.slice(chunk * size, (chunk + 1) * size))

/** Loads all capabilities in a turn, calls every tool in the next step, and ends. */
const callsEverything = (): { readonly step: ScriptedStep; tools: readonly string[]; names: readonly string[] } => {
  const script = {
    tools: [] as readonly string[],
    names: [] as readonly string[],
    step: ({ prompt }: ScriptedCall) => {
      const answers = prompt.filter(({ role }) => role === 'assistant').length
      if (answers === 0) return { tool: 'load_capability', input: { names: script.names }, id: 'load' }
      return answers === 1 ? script.tools.map(tool => ({ tool, input: {}, id: tool })) : 'done'
    },
  }
  return script
}

test('each tool has the verdict of /chat at every door, whatever the scopes of the caller', async () => {
  const script = callsEverything()
  const scopes = ['chat/send', 'chat/*', '*']
  const keyOf = (index: number) => `k-${index}-0123456789abcdef`
  const plugins = bundledPlugins()
  for (const { name } of plugins) scopes.push(`chat/send+${name}/*`)
  const keys = scopes.map((scope, index) => `n${index}:${keyOf(index)}:${scope}+session/read:did:example:n${index}`)
  const oracle = await testApp({
    plugins,
    adapters: bundledAdapters(),
    model: scriptedModel(Array.from({ length: scopes.length * 20 }, () => script.step)),
    env: {
      ...everythingOn(temporaryFolder()),
      ORACLE_API_KEYS: keys.join(','),
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_DID_PER_MINUTE: '0',
      TOKEN_BUDGET_DID_PER_DAY: '0',
      TOKEN_BUDGET_ORACLE_PER_DAY: '0',
      TURN_MAX_TOKENS: '10000000',
    },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const capabilities = oracle.app.capabilities().filter(({ state }) => state !== 'excluded')
  script.tools = capabilities.flatMap(({ tools }) => tools)
  script.names = capabilities.filter(({ mode }) => mode === 'on-demand').map(({ name }) => name)
  expect(script.tools.length).toBeGreaterThan(40)

  const ask = (index: number, path: string, body?: object) =>
    oracle.app.request(path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${keyOf(index)}`, 'content-type': 'application/json', ...mcpHeaders(body) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  /** The verdicts of the gate in a session, by the names of the tools. */
  const verdictsOf = async (index: number, session: string) => {
    const { messages } = await (await ask(index, `/sessions/${session}`)).json()
    const parts = messages.at(-1).parts as readonly Readonly<Record<string, unknown>>[]
    return Object.fromEntries(
      parts.flatMap(({ toolCallId, errorText }) => {
        const refused = /requires the ability/.test(String(errorText))
        return typeof toolCallId === 'string' ? [[toolCallId, refused ? 'refused' : 'allowed']] : []
      }),
    )
  }
  const counts: number[] = []
  for (const index of scopes.keys()) {
    await (await ask(index, '/chat', { id: 'chat', message: 'do it all' })).text()
    const verdicts = await verdictsOf(index, 'chat')
    const messages = [{ id: '1', role: 'user', content: 'do it all' }]
    await (await ask(index, '/ag-ui', { threadId: 'ag-ui', runId: 'r', messages })).text()
    expect({ door: 'ag-ui', scope: scopes[index], ...(await verdictsOf(index, 'ag-ui')) }).toEqual({
      door: 'ag-ui',
      scope: scopes[index],
      ...verdicts,
    })
    const callsOfMcp = async () => {
      const verdicts: Record<string, string> = {}
      const list = await (await ask(index, '/mcp', mcpMessage('tools/list', {}))).json()
      const listed = new Set((list.result.tools as { name: string }[]).map(({ name }) => name))
      for (const tool of script.tools) verdicts[tool] = listed.has(tool) ? 'allowed' : 'refused'
      return verdicts
    }
    for (const names of chunksOf(script.names, 20)) {
      await (
        await ask(index, '/mcp', mcpMessage('tools/call', { name: 'load_capability', arguments: { names } }))
      ).text()
    }
    const { load: _, ...ofTools } = verdicts
    expect({ door: 'mcp', scope: scopes[index], ...(await callsOfMcp()) }).toEqual({
      door: 'mcp',
      scope: scopes[index],
      ...ofTools,
    })
    for (const [door, { path, body, sessionOf }] of Object.entries(doors)) {
      const session = sessionOf(await (await ask(index, path, body)).json())
      expect({ door, scope: scopes[index], ...(await verdictsOf(index, session)) }).toEqual({
        door,
        scope: scopes[index],
        ...verdicts,
      })
    }
    counts.push(Object.values(verdicts).filter(verdict => verdict === 'refused').length)
  }
  const [onlyChat = 0, , everything] = counts
  expect(everything).toBe(0)
  expect(onlyChat).toBeGreaterThan(30)
  expect(new Set(counts).size).toBeGreaterThan(5)
}, 180_000)
