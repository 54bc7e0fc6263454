import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connected, httpServer, inState, program, recordedLog, textsOf } from './connect-mcp.test.support.ts'
import { McpUnavailable } from './index.ts'

const echo = { tools: [{ name: 'echo' }] }
const isAlive = (pid: number) => {
  try {
    // A zombie is not a running process.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('a program', () => {
  it('returns with its tools after it is killed in a call; the call is not sent again', async () => {
    const { address, events, pid, set } = program({ tools: [{ name: 'write', does: [{ stall: true }] }] })
    const notes = connected(address)
    await notes.ready()
    const call = notes.call('write', {})
    await expect.poll(() => events().some(({ what }) => what === 'called')).toBe(true)
    set({ tools: [{ name: 'other' }] }, false)
    process.kill(pid(), 'SIGKILL')
    await expect(call).rejects.toThrow('The program of the MCP server notes exited (ended by SIGKILL).')
    expect(notes.state).toBe('degraded')
    expect(notes.tools.map(({ name }) => name)).toEqual(['write'])
    await inState(notes, 'ready')
    expect(notes.reason).toBeUndefined()
    expect(notes.tools.map(({ name }) => name)).toEqual(['other'])
    expect(events().filter(({ what }) => what === 'called')).toHaveLength(1)
  })

  it('is started as an old one if it exits at the question for its revision', async () => {
    const { address, events, pid } = program({ ...echo, start: { endsAtProbe: true } })
    const notes = connected(address)
    await notes.ready()
    expect(textsOf(await notes.call('echo', {}))).toEqual(['{}'])
    expect(events().filter(({ what }) => what === 'started')).toHaveLength(2)
    process.kill(pid(), 'SIGKILL')
    await inState(notes, 'degraded')
    await inState(notes, 'ready')
    expect(events().filter(({ what }) => what === 'started')).toHaveLength(3)
  })

  it('gets nothing of our environment except the paths of programs and the network settings', async () => {
    process.env.MCP_TEST_SECRET = 'not for servers'
    const { address, events } = program(echo, { NOTES_KEY: 'k' })
    const notes = connected(address)
    await notes.ready()
    delete process.env.MCP_TEST_SECRET
    const env = events()[0]?.env ?? {}
    expect(env).toMatchObject({ NOTES_KEY: 'k', PATH: process.env.PATH })
    const allowed = [
      'HOME',
      'LOGNAME',
      'NODE_COMPILE_CACHE',
      'NODE_EXTRA_CA_CERTS',
      'NODE_OPTIONS',
      'NOTES_KEY',
      'PATH',
      'SHELL',
      'TERM',
      'USER',
    ]
    expect(Object.keys(env).filter(name => !allowed.includes(name))).toEqual([])
  })

  it('is killed if it does not exit', async () => {
    const { address, pid } = program({ ...echo, start: { stubborn: true } })
    const notes = connected(address, { limits: { endTimeoutMs: 50 } })
    await notes.ready()
    const child = pid()
    expect(isAlive(child)).toBe(true)
    await notes.close()
    expect(isAlive(child)).toBe(false)
  })
})

describe('a server of HTTP', () => {
  it.each(['old', 'new'] as const)('is connected again after it is killed in a call (%s)', async revision => {
    const server = await httpServer({ revision, tools: [{ name: 'write', does: [{ stall: true }] }, { name: 'echo' }] })
    const notes = connected(server.address)
    await notes.ready()
    const call = notes.call('write', {})
    const failed = expect(call).rejects.toThrow(McpUnavailable)
    await expect.poll(() => server.events.some(({ what }) => what === 'called')).toBe(true)
    await server.stop()
    await failed
    await inState(notes, 'degraded')
    await expect(notes.call('echo', {})).rejects.toThrow(McpUnavailable)
    await server.start()
    await inState(notes, 'ready')
    expect(textsOf(await notes.call('echo', {}))).toEqual(['{}'])
    expect(server.events.filter(({ what, tool }) => what === 'called' && tool === 'write')).toHaveLength(1)
  })

  it('is logged once when it is lost, and once when it returns', async () => {
    const server = await httpServer(echo)
    const log = recordedLog()
    let attempts = 0
    const notes = connected(server.address, { log, backOffMs: () => ++attempts && 5 })
    await notes.ready()
    for (const _ of ['lost', 'lost again']) {
      log.shown.length = 0
      await server.stop()
      attempts = 0
      await notes.call('echo', {}).catch(() => {})
      await inState(notes, 'degraded')
      await expect.poll(() => attempts).toBeGreaterThan(3)
      expect(log.shown).toEqual(['warn: An MCP server is unreachable; the connection is retried'])
      await server.start()
      await inState(notes, 'ready')
      expect(log.shown.slice(1)).toEqual(['info: An MCP server is connected again'])
    }
  })

  it('receives a new session if it lost the old one, and the call once', async () => {
    const server = await httpServer(echo)
    const notes = connected(server.address, { backOffMs: () => 60_000 })
    await notes.ready()
    await server.forget()
    expect(textsOf(await notes.call('echo', { n: 1 }))).toEqual(['{"n":1}'])
    expect(server.events.filter(({ what }) => what === 'called')).toHaveLength(1)
    expect(notes.state).toBe('ready')
  })

  it.each([
    ['Bad Request: No valid session ID provided', 2],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}', 2],
    ['Bad Request: amount is missing', 1],
  ])('receives a new session only if a 400 is about the session: %s', async (text, sessions) => {
    const server = await httpServer(echo)
    const notes = connected(server.address, { backOffMs: () => 60_000 })
    await notes.ready()
    let isLost = true
    server.intercept = (_, response, body) => {
      if (!isLost || !body.includes('tools/call')) return false
      isLost = false
      response.writeHead(400).end(text)
      return true
    }
    const called = await notes.call('echo', { n: 1 }).then(textsOf, (error: Error) => error.message)
    expect(called).toEqual(sessions === 2 ? ['{"n":1}'] : 'The MCP server notes answered HTTP 400.')
    const begun = server.requests.filter(({ body }) => JSON.stringify(body ?? '').includes('"initialize"'))
    expect(begun).toHaveLength(sessions)
  })

  it('is not contacted for a while if it loses every session', async () => {
    const server = await httpServer(echo)
    const notes = connected(server.address, { backOffMs: () => 60_000 })
    await notes.ready()
    server.intercept = (_, response, body) => {
      if (!body.includes('tools/call')) return false
      response.writeHead(404).end()
      return true
    }
    await expect(notes.call('echo', {})).rejects.toThrow('The MCP server notes answered HTTP 404.')
    expect(server.requests.filter(({ body }) => JSON.stringify(body ?? '').includes('tools/call'))).toHaveLength(2)
  })

  it('is sent the headers of the operator, and those made for each request before them', async () => {
    const server = await httpServer(echo)
    let made = 0
    const headers = async () => ({ authorization: `Bearer ${++made}` })
    const notes = connected({ ...server.address, headers: { authorization: 'fixed', 'x-team': 'a' } }, { headers })
    await notes.ready()
    const sent = server.requests.map(request => request.headers)
    expect(sent.every(one => one['x-team'] === 'a')).toBe(true)
    expect(new Set(sent.map(one => one.authorization)).size).toBe(sent.length)
  })
})

it('nothing of a program stays behind when our own process ends', async () => {
  const { address, pid } = program({ ...echo, start: { stubborn: true } })
  const { execFile } = await import('node:child_process')
  const script = `
    const { connectMcp } = await import('@sibyl/mcp-client')
    const notes = connectMcp({ name: 'notes', address: ${JSON.stringify(address)}, log: { debug() {}, info() {}, warn() {} } })
    await notes.ready()
    process.exit(0)`
  const args = ['--conditions=sibyl-source', '--input-type=module', '-e', script]
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: import.meta.dirname }, error => (error ? reject(error) : resolve()))
  })
  expect(existsSync(`/proc/${process.pid}`)).toBe(true)
  await expect.poll(() => isAlive(pid())).toBe(false)
})
