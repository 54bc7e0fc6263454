import { beforeAll, describe, expect, it } from 'vitest'
import { asQuestion, connected, everyWay, textsOf, until } from './connect-mcp.test.support.ts'
import type { McpConnection } from './index.ts'
import type { McpScript } from './testing/index.test.helper.ts'

const form = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })
const order = {
  type: 'object',
  properties: { size: { type: 'string' }, count: { type: 'integer', default: 3 } },
  required: ['size'],
}
const asking = (name: string) => ({
  name,
  does: [{ waitMs: 20 }, { ask: [{ message: `for ${name}`, requestedSchema: form(name) }] }],
})
const script: McpScript = {
  instructions: 'Be kind.',
  tools: [
    { name: 'echo', description: 'Says it again.' },
    { name: 'work', does: [{ progress: 1, total: 2, message: 'half' }, { progress: 2, total: 2 }, { text: 'done' }] },
    { name: 'stall', does: [{ stall: true }] },
    {
      name: 'order',
      does: [
        { ask: [{ message: 'Which size?', requestedSchema: order }] },
        { ask: [{ message: 'Pay here', url: 'https://pay.example/1' }] },
      ],
    },
    asking('ann'),
    asking('ben'),
    { name: 'both', does: [{ ask: ['one', 'two'].map(message => ({ message, requestedSchema: form(message) })) }] },
  ],
}

describe.each(everyWay)('over %s', (_, serve) => {
  let notes: McpConnection
  let server: Awaited<ReturnType<typeof serve>>

  beforeAll(async () => {
    const ends: (() => void | Promise<void>)[] = []
    server = await serve(script, end => ends.unshift(end))
    notes = connected(server.address, {}, end => ends.unshift(end))
    expect(notes.state).toBe('pending')
    await notes.ready()
    return async () => {
      for (const end of ends) await end()
    }
  })

  it('lists tools and calls them', async () => {
    expect(notes.state).toBe('ready')
    expect(notes.server).toEqual({ name: 'scripted', version: '1.2.3', instructions: 'Be kind.' })
    expect(notes.tools).toHaveLength(7)
    expect(notes.tools[0]).toEqual({
      name: 'echo',
      description: 'Says it again.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    })
    expect(textsOf(await notes.call('echo', { word: 'hello' }))).toEqual(['{"word":"hello"}'])
    await expect(notes.call('nothing', {})).rejects.toThrow('The MCP server notes has no tool with this name.')
  })

  it('forwards progress, and cancels at the server', async () => {
    const reported: unknown[] = []
    await notes.call('work', {}, { onProgress: progress => reported.push(progress) })
    expect(reported).toEqual([
      { done: 1, total: 2, message: 'half' },
      { done: 2, total: 2 },
    ])

    const abort = new AbortController()
    const stalled = notes.call('stall', {}, { signal: abort.signal })
    await expect.poll(() => server.events()).toContainEqual({ what: 'called', tool: 'stall', args: {} })
    abort.abort(new Error('enough'))
    await expect(stalled).rejects.toThrow('enough')
    await expect.poll(() => server.events()).toContainEqual({ what: 'cancelled', tool: 'stall' })
  })

  it('asks a user during a call, and continues with the answer', async () => {
    const first = asQuestion(await notes.call('order', {}))
    expect(first).toMatchObject({ text: 'The MCP server notes asks: Which size?', schema: order })
    const second = asQuestion(await first.answer({ action: 'accept', content: { size: 'M' } }))
    expect(second).toMatchObject({ text: 'The MCP server notes asks: Pay here', url: 'https://pay.example/1' })
    await expect(first.answer({ action: 'decline' })).rejects.toThrow('no longer open')
    const texts = textsOf(await second.answer({ action: 'decline' }))
    expect(texts.map(text => JSON.parse(text))).toEqual([
      [{ action: 'accept', content: { size: 'M', count: 3 } }],
      [{ action: 'decline' }],
    ])
  })

  it('asks concurrent questions sequentially', async () => {
    const one = asQuestion(await notes.call('both', {}))
    const two = asQuestion(await one.answer({ action: 'accept', content: { one: '1' } }))
    expect(two.text).toContain('two')
    const texts = textsOf(await two.answer({ action: 'accept', content: { two: '2' } }))
    expect(texts).toEqual(['[{"action":"accept","content":{"one":"1"}},{"action":"accept","content":{"two":"2"}}]'])
  })

  it('leads each question to the call that it belongs to', async () => {
    const ann = asQuestion(await notes.call('ann', {}))
    const ben = asQuestion(await notes.call('ben', {}))
    expect(textsOf(await notes.call('echo', {}))).toEqual(['{}'])
    expect(ann.text).toContain('for ann')
    expect(ben.text).toContain('for ben')
    const answered = await ben.answer({ action: 'accept', content: { ben: 'B' } })
    expect(textsOf(answered)).toEqual(['[{"action":"accept","content":{"ben":"B"}}]'])
    expect(textsOf(await ann.answer({ action: 'cancel' }))).toEqual(['[{"action":"cancel"}]'])
  })

  it('lists changed tools again', async () => {
    server.set({ tools: [{ name: 'two' }, { name: 'stall', does: [{ stall: true }] }] })
    await until(notes, () => notes.tools.length === 2)
    expect(notes.tools.map(({ name }) => name)).toEqual(['two', 'stall'])
    expect(notes.state).toBe('ready')
  })

  it('ends', async () => {
    const call = notes.call('stall', {})
    const failed = expect(call).rejects.toThrow('The connection to the MCP server notes')
    await notes.close()
    await failed
    expect(notes.state).toBe('degraded')
    await expect(notes.call('stall', {})).rejects.toThrow('was closed')
  })
})
