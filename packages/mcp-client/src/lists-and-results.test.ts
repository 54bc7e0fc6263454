import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connected, eachGeneration, httpServer, program, textsOf } from './connect-mcp.test.support.ts'
import { McpTimeout } from './index.ts'

describe.each(eachGeneration)('over %s', (_, serve) => {
  it('omits tools that cannot be called, with the error', async () => {
    const tools = [
      { name: 'good', description: 'x'.repeat(5_000), annotations: { readOnlyHint: true, openWorldHint: 'maybe' } },
      { name: 'good', description: 'an impostor' },
      { name: 'bad name' },
      { name: 42 },
      { name: 'list', inputSchema: { type: 'array' } },
      { name: 'none', inputSchema: null },
      { name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(20_000) } },
      { name: 'header', inputSchema: { type: 'object', properties: { a: { type: 'array', 'x-mcp-header': 'A' } } } },
      { name: 'also.good/v2' },
    ]
    const { address } = await serve({ tools })
    const notes = connected(address)
    await notes.ready()
    expect(notes.tools.map(({ name }) => name)).toEqual(['good', 'also.good/v2'])
    expect(notes.tools[0]?.description).toHaveLength(2_000)
    expect(notes.tools[0]?.annotations).toEqual({
      readOnly: true,
      destructive: true,
      idempotent: false,
      openWorld: true,
    })
    expect(notes.leftOut).toEqual([
      { name: 'good', fault: 'Its name is a duplicate; only the first one is kept.' },
      { name: 'bad name', fault: expect.stringContaining('Its name') },
      { name: '(none)', fault: 'It is not a valid tool description.' },
      { name: 'list', fault: 'Its input schema is not an object schema.' },
      { name: 'none', fault: 'Its input schema is not an object schema.' },
      { name: 'large', fault: 'Its input schema is larger than 16000 characters.' },
      { name: 'header', fault: 'Its input schema declares headers that are not allowed.' },
    ])
  })
})

it('500 tools are listed page by page, and of more the rest is left out', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, place) => ({ name: `tool-${place}` }))
  const { address, set } = program({ tools: many(500), pageSize: 60 })
  const notes = connected(address)
  await notes.ready()
  expect(notes.tools).toHaveLength(500)
  expect(notes.leftOut).toEqual([])
  const changed = new Promise<void>(resolve => notes.onChange(resolve))
  set({ tools: many(510), pageSize: 510 })
  await changed
  expect(notes.tools).toHaveLength(500)
  expect(notes.leftOut).toEqual([{ name: '10 more', fault: 'Only 500 tools are kept.' }])
})

it('a list that never ends is given up', async () => {
  const { address, events } = program({ tools: [{ name: 'one' }, { name: 'two' }], pageSize: 0 })
  const notes = connected(address)
  await notes.ready()
  expect(notes.tools).toEqual([])
  expect(events().filter(({ what }) => what === 'listed').length).toBeLessThan(5)
})

it('results are cut, and bytes are only described', async () => {
  const { address } = program({
    tools: [
      { name: 'long', does: [{ text: 'first' }, { characters: 5_000 }, { text: 'last' }, { structured: { a: 1 } }] },
      {
        name: 'mixed',
        does: [
          {
            content: [
              { type: 'image', data: 'AAAA', mimeType: 'image/png' },
              { type: 'resource', resource: { uri: 'note://1', text: 'hello', mimeType: 'text/plain' } },
              { type: 'resource_link', uri: 'note://2', name: 'two' },
            ],
          },
          { structured: { ok: true } },
          { failed: 'It did not work.' },
        ],
      },
    ],
  })
  const notes = connected(address, { limits: { maxResultCharacters: 1_000 } })
  await notes.ready()
  const long = await notes.call('long', {})
  expect(long).toMatchObject({ isCut: true, isError: false })
  expect(long).not.toHaveProperty('structured')
  expect(JSON.stringify(long.kind === 'result' && long.content).length).toBeLessThan(1_050)
  expect(textsOf(long)[0]).toBe('first')
  expect(await notes.call('mixed', {})).toEqual({
    kind: 'result',
    isError: true,
    isCut: false,
    content: [
      { type: 'binary', mimeType: 'image/png', bytes: 3 },
      { type: 'resource', uri: 'note://1', mimeType: 'text/plain', text: 'hello' },
      { type: 'link', uri: 'note://2', name: 'two' },
      { type: 'text', text: 'It did not work.' },
    ],
    structured: { ok: true },
  })
})

it('progress gives a call more time, up to the longest that one may take', async () => {
  const steps = Array.from({ length: 40 }, (_, done) => [{ waitMs: 30 }, { progress: done }])
  const { address } = program({
    tools: [
      { name: 'patient', does: [...steps.slice(0, 10).flat(), { text: 'done' }] },
      { name: 'endless', does: steps.flat() },
    ],
  })
  let attempts = 0
  const limits = { callTimeoutMs: 25_000, longestCallMs: 105_000 }
  const notes = connected(address, { limits, now: () => 1_000 * attempts++ })
  await notes.ready()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const options = { onProgress: () => void vi.advanceTimersByTime(10_000) }
  expect(textsOf(await notes.call('patient', {}, options))).toEqual(['done'])
  const endless = notes.call('endless', {}, options)
  await expect(endless).rejects.toThrow(McpTimeout)
  await expect(endless).rejects.toThrow('within 105 seconds')
})

describe.each(eachGeneration)('over %s', (_, serve) => {
  it('reads resources and prompts', async () => {
    const { address } = await serve({
      tools: [],
      resources: [{ uri: 'note://1', name: 'one', text: 'hello' }],
      prompts: [{ name: 'greet', text: 'Say hello.' }],
    })
    const notes = connected(address)
    await notes.ready()
    expect(notes.offers).toEqual({ resources: true, prompts: true })
    expect(await notes.resources()).toEqual([{ uri: 'note://1', name: 'one' }])
    expect(await notes.resourceTemplates()).toEqual([{ uri: 'note://{day}', name: 'note' }])
    expect(await notes.read('note://1')).toEqual([{ type: 'resource', uri: 'note://1', text: 'hello' }])
    expect(await notes.prompts()).toEqual([{ name: 'greet', arguments: [{ name: 'topic', required: false }] }])
    expect(await notes.prompt('greet', {})).toEqual([{ role: 'user', content: { type: 'text', text: 'Say hello.' } }])
    await expect(notes.read('note://2')).rejects.toThrow('There is no such resource.')
  })
})

describe('a result', () => {
  const answers = { jsonrpc: '2.0', error: null }
  const serverOf = async (result: unknown, type: 'application/json' | 'text/event-stream') => {
    const server = await httpServer({ tools: [{ name: 'echo' }] })
    server.intercept = (_, response, body) => {
      const { id, method } = JSON.parse(body || '{}')
      if (method !== 'tools/call') return false
      const text = JSON.stringify({ ...answers, id, result })
      response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? text : `data: ${text}\n\n`)
      return true
    }
    const notes = connected(server.address)
    await notes.ready()
    return notes
  }

  it.each(['application/json', 'text/event-stream'] as const)(
    'keeps its good parts beside invalid ones, and null members are absent: %s',
    async type => {
      const notes = await serverOf(
        {
          content: [
            { type: 'text', text: 'first', annotations: null, _meta: null },
            { type: 'image', data: null, mimeType: 7 },
            { type: 'resource_link', uri: 'a:b', name: 'link', description: null, mimeType: null, size: null },
            { type: 'text', text: 'last' },
          ],
          structuredContent: { kept: null },
          isError: null,
          _meta: null,
        },
        type,
      )
      expect(await notes.call('echo', {})).toMatchObject({
        isError: false,
        content: [
          { type: 'text', text: 'first' },
          { type: 'text', text: '(a part of an unknown kind)' },
          { type: 'link', uri: 'a:b', name: 'link' },
          { type: 'text', text: 'last' },
        ],
        structured: { kept: null },
      })
    },
  )

  it('is empty with null members alone', async () => {
    const notes = await serverOf({ content: null, structuredContent: null, isError: null }, 'application/json')
    expect(await notes.call('echo', {})).toMatchObject({ isError: false, content: [] })
  })
})
