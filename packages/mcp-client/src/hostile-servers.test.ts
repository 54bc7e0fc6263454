/** @module-tag long */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  connected,
  eachTransport,
  httpServer,
  inState,
  program,
  recordedLog,
  textsOf,
} from './connect-mcp.test.support.ts'
import { McpCallFailed, McpTimeout, McpUnavailable } from './index.ts'
import { startMcpServer } from './testing/index.test.helper.ts'

const echo = { tools: [{ name: 'echo' }] }
const isList = (body: unknown) => JSON.stringify(body ?? '').includes('tools/list')

describe('a server that cannot be reached', () => {
  it('has a reason without its address, and is tried again with a longer wait each time', async () => {
    const gone = await startMcpServer(echo)
    await gone.stop()
    const waits: number[] = []
    const log = recordedLog()
    const address = {
      kind: 'http',
      url: `${gone.url}?token=s3cret`,
      headers: { authorization: 'Bearer s3cret' },
    } as const
    const notes = connected(address, { log, backOffMs: attempt => waits.push(attempt) })
    await expect.poll(() => waits.length).toBeGreaterThan(2)
    expect(notes.state).toBe('degraded')
    expect(notes.reason).toBe('The MCP server notes is unreachable: the connection was refused.')
    await expect(notes.ready()).rejects.toThrow(McpUnavailable)
    await expect(notes.call('echo', {})).rejects.toThrow('the connection was refused')
    expect(waits.slice(0, 3)).toEqual([0, 1, 2])
    expect(log.lines.join()).not.toMatch(/s3cret|127\.0/)
  })

  it('may be a program that is not there', async () => {
    const notes = connected({ kind: 'stdio', command: '/nowhere/mcp', args: [], env: {} })
    await inState(notes, 'degraded')
    expect(notes.reason).toBe('The MCP server notes is unreachable: its program or working folder does not exist.')
  })

  it('may be a program that exits immediately: it is not started in a tight loop, and its last output is in the log', async () => {
    const { address, events } = program({ tools: [], start: { exit: 7 } })
    const log = recordedLog()
    let attempts = 0
    const backOffMs = () => (++attempts < 2 ? 10 : 60_000)
    const notes = connected(address, { log, backOffMs })
    await expect.poll(() => attempts).toBe(2)
    expect(notes.reason).toBe('The program of the MCP server notes exited (exit code 7).')
    // Each attempt starts it in the new and in the old way.
    expect(events()).toHaveLength(4)
    expect(log.lines.join('\n')).toContain('It does not want to.')
  })

  it.each([401, 403, 404, 500])('may answer HTTP %i', async status => {
    const server = await httpServer(echo)
    server.intercept = (_, response) => {
      response.writeHead(status).end('token=s3cret')
      return true
    }
    const notes = connected(server.address)
    await inState(notes, 'degraded')
    expect(notes.reason).toContain(`HTTP ${status}`)
    expect(notes.reason).not.toContain('s3cret')
    server.intercept = undefined
    await inState(notes, 'ready')
    expect(notes.tools).toHaveLength(1)
  })

  it('may be gone before it was waited for', async () => {
    const server = await httpServer(echo)
    server.intercept = () => true
    const notes = connected(server.address)
    await expect(notes.ready(AbortSignal.timeout(20))).rejects.toThrow('The MCP server notes is not connected yet.')
  })
})

describe('a server that stalls', () => {
  const limits = { connectTimeoutMs: 300, callTimeoutMs: 100, endTimeoutMs: 50 }

  it('is degraded after a stalled start over HTTP', async () => {
    const server = await httpServer(echo)
    server.intercept = () => true
    const notes = connected(server.address, { limits })
    await inState(notes, 'degraded')
    expect(notes.reason).toBe('The MCP server notes did not respond in time.')
  })

  it('is degraded after a stalled start as a program', async () => {
    const { address } = program({ tools: [], start: { stall: true } })
    const notes = connected(address, { limits })
    await inState(notes, 'degraded')
    expect(notes.reason).toBe('The MCP server notes did not respond within 0.3 seconds.')
  })

  it.each([
    ['never answers', []],
    ['has a next page for ever', [{ name: 'echo', inputSchema: { type: 'object' } }]],
  ])('is reported when the list of its tools %s', async (_, tools) => {
    const server = await httpServer(echo)
    server.intercept = (_request, response, body) => {
      const { id, method } = JSON.parse(body || '{}')
      if (method !== 'tools/list') return false
      const answer = { jsonrpc: '2.0', id, result: { tools, nextCursor: String(server.requests.length) } }
      const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      if (tools.length > 0) setTimeout(send, 20)
      return true
    }
    const notes = connected(server.address, { limits })
    await expect.poll(() => notes.reason).toBe('The MCP server notes did not list its tools within 0.3 seconds.')
    const patient = connected(server.address)
    await expect.poll(() => server.requests.filter(({ body }) => isList(body)).length).toBeGreaterThan(3)
    await patient.close()
    expect(patient.state).toBe('degraded')
  })

  it.each(eachTransport)('has its call over %s ended and canceled, and keeps the connection', async (_, serve) => {
    const { address, events } = await serve({ tools: [{ name: 'stall', does: [{ stall: true }] }, { name: 'echo' }] })
    const notes = connected(address, { limits: { callTimeoutMs: 300 } })
    await notes.ready()
    const call = notes.call('stall', {})
    await expect(call).rejects.toThrow(McpTimeout)
    await expect(call).rejects.toThrow('The MCP server notes did not answer the call within 0.3 seconds.')
    await expect.poll(() => events()).toContainEqual({ what: 'cancelled', tool: 'stall' })
    await expect.poll(() => notes.call('echo', {}).then(textsOf, () => [])).toEqual(['{}'])
    expect(notes.state).toBe('ready')
  })

  it('is connected again when it stalls permanently after a call', async () => {
    const server = await httpServer(echo)
    const notes = connected(server.address, { limits: { ...limits, connectTimeoutMs: 500 } })
    await inState(notes, 'ready')
    server.intercept = () => true
    await expect(notes.call('echo', {})).rejects.toThrow(McpTimeout)
    await inState(notes, 'degraded')
    server.intercept = undefined
    await inState(notes, 'ready')
    await expect.poll(() => notes.call('echo', {}).then(textsOf, () => [])).toEqual(['{}'])
  })
})

it.each([
  ['changes its tools whenever they are listed', true],
  ['refuses to list what it said has changed', false],
])('a server that %s is asked less and less often', async (_, answers) => {
  const server = await httpServer(echo)
  const waits: number[] = []
  const log = recordedLog()
  const notes = connected(server.address, { log, backOffMs: attempt => waits.push(attempt) })
  await notes.ready()
  server.intercept = (_request, response, body) => {
    if (!isList(body)) return false
    setImmediate(() => server.set({}))
    if (!answers) response.writeHead(500).end()
    return !answers
  }
  server.set({})
  await expect.poll(() => waits.length).toBeGreaterThan(4)
  expect(waits.slice(0, 4)).toEqual([0, 1, 2, 3])
  expect(log.shown.filter(line => line.includes('listed anew')).length).toBeLessThan(2)
  await notes.close()
})

describe('a server that sends garbage', () => {
  it('is connected when it speaks MCP after other output', async () => {
    const { address } = program({
      ...echo,
      start: { garbage: 'Welcome!\n{"jsonrpc":"1.0"}\n\u0000\u001b[31m[]\nnull\n' },
    })
    const notes = connected(address)
    await notes.ready()
    expect(textsOf(await notes.call('echo', {}))).toEqual(['{}'])
  })

  it('is answered when the garbage comes within a call', async () => {
    const { address } = program({
      tools: [{ name: 'loud', does: [{ garbage: 'debug: x\n{"id":1}\n' }, { text: 'done' }] }],
    })
    const notes = connected(address)
    await notes.ready()
    expect(textsOf(await notes.call('loud', {}))).toEqual(['done'])
  })

  it.each([
    ['a page', 'text/html', '<h1>Hello</h1>'],
    ['no JSON', 'application/json', '{"jsonrpc":'],
    ['other JSON', 'application/json', '{"hello":1}'],
  ])('fails with a reason when it sends %s over HTTP', async (_, type, body) => {
    const server = await httpServer(echo)
    server.intercept = (_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
      return true
    }
    const notes = connected(server.address)
    await inState(notes, 'degraded')
    expect(notes.reason).toBe('The MCP server notes returned an invalid MCP message.')
  })

  it('fails the call whose result is invalid', async () => {
    const server = await httpServer(echo)
    const notes = connected(server.address)
    await notes.ready()
    server.intercept = (_, response, body) => {
      const { id, method } = JSON.parse(body || '{}')
      if (method !== 'tools/call') return false
      const result = { content: 'not a list' }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      return true
    }
    await expect(notes.call('echo', {})).rejects.toThrow(McpCallFailed)
    expect(notes.state).toBe('ready')
  })

  it('has its errors cleaned and truncated', async () => {
    const refuse = `\u001b[31mNo\u0000 way\u202e\n${'!'.repeat(1_000)}`
    const { address } = program({ tools: [{ name: 'no', does: [{ refuse }] }] })
    const notes = connected(address)
    await notes.ready()
    const error = await notes.call('no', {}).catch(caught => caught)
    expect(error).toBeInstanceOf(McpCallFailed)
    expect(error.message).toMatch(/^The MCP server notes refused: \[31mNo way !+…$/)
    expect(error.message.length).toBeLessThan(540)
  })
})

describe('a server that sends 10 MB', () => {
  const huge = { tools: [{ name: 'huge', does: [{ characters: 10_000_000 }] }, { name: 'echo' }] }

  it.each(eachTransport)('has its call over %s ended, and is connected again', async (_, serve) => {
    const { address, events } = await serve(huge)
    const notes = connected(address)
    await notes.ready()
    await expect(notes.call('huge', {})).rejects.toThrow('The MCP server notes sent a message that is too large.')
    expect(events().filter(({ what }) => what === 'called')).toHaveLength(1)
    await expect.poll(() => notes.call('echo', {}).then(textsOf, () => [])).toEqual(['{}'])
  })

  it('is disconnected when half of it has no end of line', async () => {
    const { address } = program({ ...echo, start: { flood: 5_000_000 } })
    const notes = connected(address)
    await inState(notes, 'degraded')
    expect(notes.reason).toBe('The MCP server notes sent a message that is too large.')
  })

  it('is disconnected when they are packed into a few bytes', async () => {
    const server = await httpServer(echo)
    const notes = connected(server.address)
    await notes.ready()
    server.intercept = (_, response, body) => {
      if (!body.includes('tools/call')) return false
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: 'x'.repeat(10_000_000) } })))
      return true
    }
    await expect(notes.call('echo', {})).rejects.toThrow('sent a message that is too large')
    expect(notes.state).toBe('ready')
  })
})

describe('a server that sends on', () => {
  it('is not followed to another origin', async () => {
    const inward = await httpServer(echo)
    const server = await httpServer(echo)
    server.intercept = (_, response) => {
      response.writeHead(307, { location: inward.url }).end()
      return true
    }
    const notes = connected({ ...server.address, headers: { authorization: 'Bearer s3cret' } })
    await inState(notes, 'degraded')
    expect(notes.reason).toBe('The MCP server notes redirects to another address, which is not followed (HTTP 307).')
    expect(inward.requests).toEqual([])
  })

  it('is not followed in the middle of a connection', async () => {
    const inward = await httpServer(echo)
    const server = await httpServer(echo)
    const notes = connected(server.address)
    await notes.ready()
    server.intercept = (_, response) => {
      response.writeHead(302, { location: inward.url }).end()
      return true
    }
    await expect(notes.call('echo', {})).rejects.toThrow('which is not followed')
    expect(inward.requests).toEqual([])
  })
})
