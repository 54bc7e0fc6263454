import { mcpProgram, startMcpServer } from '@sibyl/mcp-client/testing'
import { scriptedModel, streamReader } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { mcp } from '../mcp.ts'
import { oracleWith, seen, serverAt } from '../oracle-with-servers.test.support.ts'

const find = {
  name: 'find',
  description: 'Finds a note.',
  annotations: { readOnlyHint: true },
  does: [{ text: 'Milk' }],
}

const soon = { plugins: [mcp({ backOffMs: () => 20 })] }

const load = { tool: 'load_capability', input: { names: ['notes'] } }
const call = { tool: 'notes_find', input: {} }

test('an unreachable server is reported in one sentence, and its tools work again once it is back', async () => {
  const server = await startMcpServer({ tools: [find] })
  const model = scriptedModel([load, call, 'One.', call, 'Two.', call, 'Three.'])
  await using oracle = await oracleWith({ notes: serverAt(server.address) }, { ...soon, model })
  await oracle.until('notes', 'ready')
  expect(oracle.resultOf(await oracle.chat('Find it', { session: 's1' }), 'notes_find')).toMatchObject({ text: 'Milk' })
  await server.stop()
  const away = await oracle.chat('Again', { session: 's1' })
  expect(oracle.resultOf(away, 'notes_find')).toMatch(/^[^.]*MCP server notes[^.]*\.$/)
  expect(away.text).toBe('Two.')
  await oracle.until('notes', 'degraded')
  await server.start()
  await oracle.until('notes', 'ready')
  expect(oracle.resultOf(await oracle.chat('And now?', { session: 's1' }), 'notes_find')).toMatchObject({
    text: 'Milk',
  })
  expect(model.calls.map(({ tools }) => tools.includes('notes_find'))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
    true,
  ])
  await server.stop()
})

test('a program that is killed is started again', async () => {
  const program = mcpProgram({ tools: [find] })
  const model = scriptedModel([load, call, 'Done.'])
  await using oracle = await oracleWith({ notes: serverAt(program.address) }, { ...soon, model })
  await oracle.until('notes', 'ready')
  const first = program.pid()
  process.kill(first, 'SIGKILL')
  await oracle.until('notes', 'degraded')
  await oracle.until('notes', 'ready')
  expect(program.pid()).not.toBe(first)
  expect(oracle.resultOf(await oracle.chat('Find it'), 'notes_find')).toMatchObject({ text: 'Milk' })
  program.remove()
})

test('one that was never there brings its tools once it comes', async () => {
  const server = await startMcpServer({ tools: [find] })
  await server.stop()
  const model = scriptedModel([load, 'It is away.', load, call, 'Done.'])
  await using oracle = await oracleWith({ notes: serverAt(server.address) }, { ...soon, model })
  await oracle.until('notes', 'degraded')
  const away = await oracle.chat('Find it', { session: 's1' })
  expect(oracle.resultOf(away, 'load_capability')).toMatchObject({
    results: [{ status: 'failed', error: expect.stringContaining('the connection was refused') }],
  })
  await server.start()
  await oracle.until('notes', 'ready')
  expect(oracle.resultOf(await oracle.chat('Find it', { session: 's1' }), 'notes_find')).toMatchObject({ text: 'Milk' })
  await server.stop()
})

test('a new tool of a known server waits for the operator, and is there in the next turn once it is confirmed', async () => {
  const server = await startMcpServer({ tools: [find] })
  const model = scriptedModel([load, 'One.', 'Two.', 'Three.'])
  await using oracle = await oracleWith({ notes: serverAt(server.address) }, { ...soon, model })
  await oracle.until('notes', 'ready')
  await oracle.chat('Load it', { session: 's1' })
  server.set({ tools: [find, { name: 'add', description: 'Adds a note.' }] })
  const waiting = async () => {
    const { servers } = await (await oracle.operator('GET', '/mcp/servers')).json()
    return servers[0].changed
  }
  await seen(async () => (await waiting()).length === 1)
  await oracle.chat('And now?', { session: 's1' })
  expect(model.calls.at(-1)?.tools).not.toContain('notes_add')
  expect(oracle.log.lines).toContainEqual({
    level: 'warn',
    message: 'an MCP server has new tools; they are rejected until the operator confirms them',
    fields: { plugin: 'mcp', server: 'notes', tools: ['add'] },
  })
  const [{ name, kind, fingerprint, changes }] = await waiting()
  expect([name, kind]).toEqual(['add', 'new'])
  expect(changes).toContainEqual({ member: 'description', before: null, after: 'Adds a note.' })
  await oracle.operator('POST', '/mcp/servers/notes/confirm', { tools: [{ name, fingerprint }] })
  expect((await oracle.capability('notes'))?.tools).toEqual(['notes_find', 'notes_add'])
  await oracle.chat('And now?', { session: 's1' })
  expect(model.calls.at(-1)?.tools).toContain('notes_add')
  await server.stop()
})

test('progress comes as parts of the answer, and a turn that is stopped cancels the call at the server', async () => {
  const does = [{ progress: 1, total: 2, message: 'half\u202eway' }, { stall: true }] as const
  const server = await startMcpServer({ tools: [{ ...find, does }] })
  await using oracle = await oracleWith({ notes: serverAt(server.address) }, { model: scriptedModel([load, call]) })
  await oracle.until('notes', 'ready')
  const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'Find it' } }))
  const { data } = await reader.until('data-tool-progress')
  expect(data).toEqual({ toolCallId: expect.any(String), done: 1, total: 2, message: 'halfway' })
  expect((await oracle.actor.request('/chat/s1/stop', { method: 'POST' })).status).toBe(200)
  expect((await reader.rest()).last?.type).toBe('abort')
  await seen(() => server.events.some(({ what }) => what === 'cancelled'))
  await server.stop()
})

test('the programs end with the oracle', async () => {
  const program = mcpProgram({ tools: [find] })
  const oracle = await oracleWith({ notes: serverAt(program.address) })
  await oracle.until('notes', 'ready')
  const pid = program.pid()
  await oracle.app.close()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  program.remove()
})

test('the operator connects a server again before its pause ends, and a program as a new process', async () => {
  const program = mcpProgram({ tools: [find] })
  const server = await startMcpServer({ tools: [find] })
  const servers = { notes: serverAt(server.address), local: serverAt(program.address) }
  await using oracle = await oracleWith(servers, { plugins: [mcp({ backOffMs: () => 600_000 })] })
  for (const name of ['notes', 'local']) await oracle.until(name, 'ready')
  const reconnect = async (name: string) => (await oracle.operator('POST', `/mcp/servers/${name}/reconnect`)).json()
  await server.stop()
  await oracle.until('notes', 'degraded')
  expect(await reconnect('notes')).toMatchObject({ state: 'degraded', reason: expect.any(String), tools: [] })
  await server.start()
  const tools = [{ name: 'find', description: 'Finds a note.' }]
  expect(await reconnect('notes')).toMatchObject({ state: 'ready', connections: 1, tools })
  const first = program.pid()
  const [one, other] = await Promise.all([reconnect('local'), reconnect('local')])
  expect([one, other]).toMatchObject([{ state: 'ready', tools }, { state: 'ready' }])
  expect(program.pid()).not.toBe(first)
  expect(await reconnect('none')).toMatchObject({ status: 404, code: 'mcp_server_unknown' })
  expect((await oracle.actor.request('/mcp/servers/local/reconnect', { json: {} })).status).toBe(403)
  await server.stop()
  program.remove()
})
