import { describe, expect, onTestFinished, test } from 'vitest'
import { recordedLog } from './connect-mcp.test.support.ts'
import { connectService, jsonOfResult, type McpServiceOptions, mcpServiceAddress, textOfResult } from './index.ts'
import { type McpScript, startMcpServer } from './testing/index.test.helper.ts'

const service = (url: string, options: Partial<McpServiceOptions> = {}) => {
  const started: Promise<void>[] = []
  const log = recordedLog()
  const found = connectService({
    name: 'facts',
    url,
    token: undefined,
    background: (_, start) => void started.push(start()),
    log,
    ...options,
  })
  onTestFinished(() => found.close())
  return { found, log, begun: () => Promise.all(started) }
}

const serve = async (script: McpScript) => {
  const server = await startMcpServer(script)
  onTestFinished(() => server.stop())
  return server
}

test('nothing is connected before the oracle is up', async () => {
  const server = await serve({ tools: [] })
  const { found } = service(server.url, { background: () => {} })
  expect(found.state()).toBe('pending')
  await expect(found.call('recall', {})).rejects.toMatchObject({ code: 'mcp_unavailable' })
  await found.close()
  expect(server.requests).toEqual([])
})

test('its start is over as soon as it is known whether the server is there', async () => {
  const server = await serve({ tools: [{ name: 'recall', does: [{ text: '{"facts":[]}' }] }] })
  const { found, begun } = service(server.url, { token: 'of-the-oracle' })
  await begun()
  expect([found.state(), found.tools().map(({ name }) => name)]).toEqual(['ready', ['recall']])
  expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer of-the-oracle']),
  )

  await server.stop()
  const away = service(server.url)
  await away.begun()
  expect(away.found.state()).toBe('degraded')
  expect(away.found.reason()).toMatch(/is unreachable/)
})

test('a question is canceled, logged for the operator, and the call fails', async () => {
  const requestedSchema = { type: 'object', properties: { x: { type: 'string' } } }
  const server = await serve({ tools: [{ name: 'ask', does: [{ ask: [{ message: 'Well?', requestedSchema }] }] }] })
  const { found, begun, log } = service(server.url)
  await begun()
  await expect(found.call('ask', {})).rejects.toMatchObject({ code: 'mcp_call_failed' })
  await expect
    .poll(() => server.events.find(({ what }) => what === 'answered')?.replies)
    .toEqual([{ action: 'cancel' }])
  expect(log.shown).toEqual(['warn: An MCP server asked a question, and no user can answer it'])
})

describe('a result as JSON', () => {
  const result = (texts: string[], structured?: { a: number }) => ({
    kind: 'result' as const,
    isError: false,
    isCut: false,
    content: texts.map(text => ({ type: 'text' as const, text })),
    ...(structured ? { structured } : {}),
  })

  test.each([
    ['its structured content', result(['else'], { a: 1 }), { a: 1 }],
    ['its text', result(['{"a":2}']), { a: 2 }],
    ['its texts', result(['{"a":', '3}']), { a: 3 }],
    ['nothing where it is none', result(['hello']), undefined],
    ['nothing where there is none', result([]), undefined],
  ])('is %s', (_, given, json) => expect(jsonOfResult(given)).toEqual(json))

  test('as text', () => expect(textOfResult(result(['a', 'b']))).toBe('a\nb'))
})

test.each([
  ['embedded:', true],
  ['https://memory.example/mcp', true],
  ['http://127.0.0.1:3000/mcp', true],
  ['embedded', false],
  ['embedded:x', false],
  ['ftp://memory.example', false],
  ['https://me:word@memory.example', false],
  ['https://me@memory.example', false],
])('%s as what a variable says: %s', (value, isRight) => {
  expect(mcpServiceAddress.safeParse(value).success).toBe(isRight)
})
