import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { inspector } from './inspector.ts'
import { key, startOracle } from './start-oracle.ts'

const sibyl = fileURLToPath(new URL('../../../../packages/cli/src/bin.ts', import.meta.url))

/** The exit codes of the Inspector. */
const ok = 0
const unauthorized = 3
const toolFailed = 5

const byKey = (url: string, apiKey: string, era: string) =>
  inspector(
    ...['--server-url', `${url}/mcp`, '--transport', 'http', '--protocol-era', era],
    ...['--header', `Authorization: Bearer ${apiKey}`],
  )

const byBridge = (url: string) =>
  inspector(process.execPath, '--conditions=sibyl-source', sibyl, 'mcp', '--url', url, '--protocol-era', 'auto')

describe.each([
  ['with an API key, in the revisions with sessions', (url: string) => byKey(url, key, 'legacy')],
  ['with an API key, in revision 2026-07-28', (url: string) => byKey(url, key, 'modern')],
  ['through sibyl mcp', byBridge],
])('the Inspector %s', (_, connect) => {
  test('lists tools whose schemas other clients understand, and calls one', async () => {
    const { url } = await startOracle()
    const { run, call } = await connect(url)
    const listed = await run('--method', 'tools/list', '--strict')
    expect(listed).toMatchObject({ code: ok, json: { result: { tools: expect.any(Array) } } })
    const { tools } = (listed.json as { result: { tools: { name: string }[] } }).result
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ask_oracle', 'list_capabilities', 'load_capability', 'shop_look', 'shop_pay']),
    )
    expect(await call('shop_look', { item: 'pump' })).toMatchObject({
      code: ok,
      json: { result: { structuredContent: { item: 'pump', price: 12 } } },
    })
    expect(await call('shop_look', { item: 3 })).toMatchObject({
      code: toolFailed,
      json: { result: { isError: true } },
    })
  })

  test('asks the oracle, and goes on with the session', async () => {
    const { url, model } = await startOracle([{ tool: 'shop_look', input: { item: 'pump' } }, 'It costs 12.', 'No.'])
    const { call } = await connect(url)
    const first = await call('ask_oracle', { message: 'What does the pump cost?' })
    expect(first).toMatchObject({ code: ok, json: { result: { structuredContent: { answer: 'It costs 12.' } } } })
    const { session } = (first.json as { result: { structuredContent: { session: string } } }).result.structuredContent
    expect(await call('ask_oracle', { message: 'Any discount?', session })).toMatchObject({
      code: ok,
      json: { result: { content: [{ text: 'No.' }], structuredContent: { session } } },
    })
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('What does the pump cost?')
  })

  test('lists and reads resources, and gets a prompt', async () => {
    const { url } = await startOracle(['Hello.'])
    const { run, call } = await connect(url)
    await call('ask_oracle', { message: 'Good morning' })
    const listed = await run('--method', 'resources/list')
    const { resources } = (listed.json as { result: { resources: { uri: string; title?: string }[] } }).result
    const session = resources.find(({ title }) => title === 'Good morning')
    expect(session?.uri).toMatch(/^sibyl:\/\/sessions\//)
    const read = async (uri = '') => JSON.stringify((await run('--method', 'resources/read', '--uri', uri)).json)
    expect(await read(session?.uri)).toContain('Hello.')
    expect(await read('sibyl://skills/field-survey')).toContain('# Field survey')
    expect(await run('--method', 'prompts/list')).toMatchObject({
      code: ok,
      json: { result: { prompts: expect.arrayContaining([expect.objectContaining({ name: 'shop_pay' })]) } },
    })
    expect(
      await run('--method', 'prompts/get', '--prompt-name', 'shop_pay', '--prompt-args', 'amount=5'),
    ).toMatchObject({
      code: ok,
      json: { result: { messages: [{ role: 'user', content: { type: 'text', text: 'Pay 5' } }] } },
    })
  })
})

test('the command of the guide lists the tools', async () => {
  const guide = readFileSync(new URL('../../../../docs/guide/mcp-clients.md', import.meta.url), 'utf8')
  const [, shown = ''] = /^npx -y @modelcontextprotocol\/inspector --cli (.+)$/m.exec(guide) ?? []
  const { url } = await startOracle()
  const command = shown.replace('http://localhost:4000', url).replace('0123456789abcdef0123456789abcdef', key)
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  expect(args[0]).toBe(`${url}/mcp`)
  const { run } = await inspector(...args)
  expect(await run()).toMatchObject({ code: ok, json: { result: { tools: expect.any(Array) } } })
})

test('a call that needs approval is not run, and says how to approve it', async () => {
  const { url, paid } = await startOracle()
  const { call } = await byKey(url, key, 'modern')
  const asked = await call('shop_pay', { amount: 5 })
  expect(asked).toMatchObject({ code: toolFailed, json: { result: { isError: true } } })
  const { content } = (asked.json as { result: { content: { text: string }[] } }).result
  const [, path] = /Pay 5 €.*To approve it: POST (\S+)/s.exec(content[0]?.text ?? '') ?? []
  expect(path).toMatch(/^\/chat\/mcp\/approvals\//)
  expect(paid).toEqual([])
  const approved = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"decision":"once"}',
  })
  expect(await approved.text()).toContain('paid')
  expect(paid).toEqual([5])
})

test.each([
  ['legacy', 'credential_unknown'],
  ['modern', 'requires authorization (HTTP 401)'],
])('an unknown key is an error of authorization (%s)', async (era, message) => {
  const { url } = await startOracle()
  const { run } = await byKey(url, 'unknown-0123456789abcdef', era)
  const refused = await run('--method', 'tools/list')
  expect(refused).toMatchObject({ code: unauthorized, json: { error: { code: 'auth_required' } } })
  expect(JSON.stringify(refused.json)).toContain(message)
})
