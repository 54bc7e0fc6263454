import { describe, expect, it } from 'vitest'
import { asQuestion, connected, everyWay, inState, textsOf, until } from './connect-mcp.test.support.ts'

describe.each(everyWay)('over %s', (_, serve) => {
  it('lists tools and calls them', async () => {
    const { address } = await serve({
      instructions: 'Be kind.',
      tools: [{ name: 'echo', description: 'Says it again.' }],
    })
    const notes = connected(address)
    expect(notes.state).toBe('pending')
    await notes.ready()
    expect(notes.state).toBe('ready')
    expect(notes.server).toEqual({ name: 'scripted', version: '1.2.3', instructions: 'Be kind.' })
    expect(notes.tools).toEqual([
      {
        name: 'echo',
        description: 'Says it again.',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      },
    ])
    expect(textsOf(await notes.call('echo', { word: 'hello' }))).toEqual(['{"word":"hello"}'])
  })

  it('forwards progress, and cancels at the server', async () => {
    const { address, events } = await serve({
      tools: [
        {
          name: 'work',
          does: [{ progress: 1, total: 2, message: 'half' }, { progress: 2, total: 2 }, { text: 'done' }],
        },
        { name: 'stall', does: [{ stall: true }] },
      ],
    })
    const notes = connected(address)
    await notes.ready()
    const told: unknown[] = []
    await notes.call('work', {}, { onProgress: progress => told.push(progress) })
    expect(told).toEqual([
      { done: 1, total: 2, message: 'half' },
      { done: 2, total: 2 },
    ])

    const abort = new AbortController()
    const stalled = notes.call('stall', {}, { signal: abort.signal })
    await expect.poll(() => events().some(({ what, tool }) => what === 'called' && tool === 'stall')).toBe(true)
    abort.abort(new Error('enough'))
    await expect(stalled).rejects.toThrow('enough')
    await expect.poll(() => events()).toContainEqual({ what: 'cancelled', tool: 'stall' })
  })

  it('asks a person in the middle of a call, and goes on with the answer', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { size: { type: 'string' }, count: { type: 'integer', default: 3 } },
      required: ['size'],
    }
    const { address } = await serve({
      tools: [
        {
          name: 'order',
          does: [
            { ask: [{ message: 'Which size?', requestedSchema }] },
            { ask: [{ message: 'Pay here', url: 'https://pay.example/1' }] },
          ],
        },
      ],
    })
    const notes = connected(address)
    await notes.ready()
    const first = asQuestion(await notes.call('order', {}))
    expect(first).toMatchObject({ text: 'The MCP server notes asks: Which size?', schema: requestedSchema })
    const second = asQuestion(await first.answer({ action: 'accept', content: { size: 'M' } }))
    expect(second).toMatchObject({ text: 'The MCP server notes asks: Pay here', url: 'https://pay.example/1' })
    await expect(first.answer({ action: 'decline' })).rejects.toThrow('no longer open')
    const texts = textsOf(await second.answer({ action: 'decline' }))
    expect(texts.map(text => JSON.parse(text))).toEqual([
      [{ action: 'accept', content: { size: 'M', count: 3 } }],
      [{ action: 'decline' }],
    ])
  })

  it('lists changed tools anew', async () => {
    const { address, set } = await serve({ tools: [{ name: 'one' }] })
    const notes = connected(address)
    await notes.ready()
    set({ tools: [{ name: 'two' }, { name: 'three' }] })
    await until(notes, () => notes.tools.length === 2)
    expect(notes.tools.map(({ name }) => name)).toEqual(['two', 'three'])
    expect(notes.state).toBe('ready')
  })

  it('ends', async () => {
    const { address } = await serve({ tools: [{ name: 'stall', does: [{ stall: true }] }] })
    const notes = connected(address)
    await notes.ready()
    const call = notes.call('stall', {})
    const failed = expect(call).rejects.toThrow('The connection to the MCP server notes')
    await notes.close()
    await failed
    expect(notes.state).toBe('degraded')
    await expect(notes.call('stall', {})).rejects.toThrow('was closed')
    await inState(notes, 'degraded')
  })
})
