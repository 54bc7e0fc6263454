import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type McpScript, type ScriptedTool, startMcpServer } from '@sibyl/mcp-client/testing'
import { recordedLogger, testActor, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memory } from '../memory.ts'
import { serverMemoryTools } from './memory-tool-names.ts'

// @modelcontextprotocol/server-memory, as it is installed from npm.
const require = createRequire(import.meta.url)
const program = join(dirname(require.resolve('@modelcontextprotocol/server-memory/package.json')), 'dist/index.js')

/** A folder with the graph of a test, and what makes an oracle use it as the README says. */
const newGraph = () => {
  const folder = mkdtempSync(join(tmpdir(), 'graph-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'memory.jsonl')
  const command = `stdio:env MEMORY_FILE_PATH=${file} "${process.execPath}" "${program}"`
  const entities = (): { name: string; entityType: string; observations: string[] }[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  return { file, entities, env: { MEMORY_MCP_URL: command, MEMORY_MCP_TOOLS: serverMemoryTools } }
}

const boot = async (env: Readonly<Record<string, string>>, options: object = {}) => {
  const log = recordedLogger()
  const oracle = await testApp({ plugins: [memory({ lookUpLimitMs: 20_000 })], env, logger: log, ...options })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const status = () => oracle.app.plugins()[0]
  const inState = (state: string) => vi.waitFor(() => expect(status()?.state).toBe(state), 60_000)
  const errors = () => log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields?.fault)
  return { oracle, status, inState, errors, log }
}

const textsOf = async (answer: Response): Promise<string[]> =>
  ((await answer.json()) as { facts: { text: string }[] }).facts.map(({ text }) => text)

describe('server-memory', () => {
  test('remembers, recalls, lists, exports and forgets, and the facts outlive the oracle', async () => {
    const graph = newGraph()
    const { oracle, inState } = await boot(graph.env)
    await inState('loaded')
    for (const text of ['Ada likes lemons', 'Ada lives in Graz', 'Ada plays the oboe'])
      expect((await oracle.chat(`Remember that ${text}`)).text).toContain(text)
    expect((await oracle.chat('Remember that Ada likes lemons')).text).toContain('Already known')
    expect((await oracle.chat('What do you know about lemons?')).text).toContain('Ada likes lemons')
    expect(graph.entities()).toMatchObject([{ name: oracle.actor.did, entityType: 'person' }])
    expect(graph.entities()[0]?.observations).toHaveLength(3)

    const again = await boot(graph.env, { actor: oracle.actor })
    await again.inState('loaded')
    const first = await (await oracle.actor.request('/memory?limit=2')).json()
    expect(first.facts.map(({ text }: { text: string }) => text)).toEqual(['Ada likes lemons', 'Ada plays the oboe'])
    expect(await textsOf(await oracle.actor.request(`/memory?limit=2&cursor=${first.next}`))).toEqual([
      'Ada lives in Graz',
    ])
    expect((await oracle.actor.request('/memory?cursor=x')).status).toBe(400)
    const all = await (await oracle.actor.request('/memory/export')).json()
    expect(all.facts).toHaveLength(3)
    expect((await oracle.chat(`Forget ${all.facts[0].id}`)).text).toBe(`Forgotten: ${all.facts[0].id}.`)
    const path = `/memory/${all.facts[1].id}`
    expect((await oracle.actor.request(path, { method: 'DELETE' })).status).toBe(204)
    expect((await oracle.actor.request(path, { method: 'DELETE' })).status).toBe(404)
    const gone = await oracle.actor.request('/memory?confirm=all', { method: 'DELETE' })
    expect(await gone.json()).toEqual({ forgotten: 1 })
    expect(readFileSync(graph.file, 'utf8')).toBe('')
  })

  test('two people never see each other, and writes at the same time lose nothing', async () => {
    const graph = newGraph()
    const { oracle, inState } = await boot(graph.env)
    await inState('loaded')
    const other = testActor(oracle.app)
    await Promise.all([
      oracle.chat('Remember that my boat is called Albatross'),
      ...['tea', 'maize', 'beans'].map(thing => oracle.chat(`Remember that Ada likes ${thing}`)),
    ])
    expect(graph.entities()[0]?.observations).toHaveLength(4)
    expect(await textsOf(await oracle.actor.request('/memory?q=albatross'))).toEqual(['my boat is called Albatross'])
    expect(await textsOf(await other.request('/memory?q=albatross'))).toEqual([])
    expect(await (await other.request('/memory?confirm=all', { method: 'DELETE' })).json()).toEqual({ forgotten: 0 })
    expect(graph.entities()[0]?.observations).toHaveLength(4)
  })

  test('without the mapping, it does not boot; with another one, the log lists its tools and what to set', async () => {
    const { env } = newGraph()
    await expect(boot({ MEMORY_MCP_URL: env.MEMORY_MCP_URL })).rejects.toThrow(
      'set MEMORY_ENGINE_URL to its HTTP API, or MEMORY_MCP_TOOLS to the five tools of a knowledge graph',
    )
    const wrong = serverMemoryTools.replace('open_nodes', 'open_people')
    const { errors, status, inState, oracle } = await boot({ ...env, MEMORY_MCP_TOOLS: wrong })
    await inState('degraded')
    expect(errors()).toEqual([
      expect.stringMatching(
        /^The MCP server memory has no tool open_people\. It has create_entities, .*open_nodes.*\. Set MEMORY_MCP_TOOLS .*=delete_entities$/,
      ),
    ])
    expect(status()?.reason).toContain('has no tool open_people')
    expect((await oracle.chat('Remember that Ada likes tea')).text).toContain('The memory server lacks a tool')
  })
})

test.each([
  ['remember=save,open=open_nodes', 'must map open, create, add, remove, erase for a knowledge graph, or some of'],
  ['store=save', "must not map 'store'"],
])('does not boot with the mapping %s', async (given, message) => {
  await expect(boot({ MEMORY_MCP_URL: 'embedded:', MEMORY_MCP_TOOLS: given })).rejects.toThrow(message)
})

const open = (does: ScriptedTool['does']): ScriptedTool => ({ name: 'open_nodes', ...(does ? { does } : {}) })
const saves: ScriptedTool[] = ['create_entities', 'add_observations', 'delete_observations', 'delete_entities'].map(
  name => ({ name, does: [{ structured: {} }] }),
)
const empty = open([{ structured: { entities: [] } }])

const serve = async (script: McpScript) => {
  const server = await startMcpServer(script)
  onTestFinished(() => server.stop())
  const called = () => server.events.filter(({ what }) => what === 'called').map(({ tool }) => tool)
  return { server, called, env: { MEMORY_MCP_URL: server.url, MEMORY_MCP_TOOLS: serverMemoryTools } }
}

test.each([
  ['10 MB', open([{ characters: 10_000_000 }]), /The memory (rejected the request|is unavailable)/],
  ['nothing', open([]), 'returned an invalid response'],
  ['a failure', open([{ failed: 'No luck.' }]), 'rejected the request'],
  ['another form', open([{ structured: { entities: 'all' } }]), 'returned an invalid response'],
])('a graph that answers %s changes nothing', async (_, tool, content) => {
  const { called, env } = await serve({ tools: [tool, ...saves] })
  const { oracle, inState } = await boot(env)
  await inState('loaded')
  expect((await oracle.chat('Remember that Ada likes tea')).text).toMatch(content)
  expect(called()).not.toContain('create_entities')
  expect(called()).not.toContain('add_observations')
})

test('a tool that is gone in the middle stops reads and writes, and its return starts them', async () => {
  const { server, called, env } = await serve({ tools: [empty, ...saves] })
  const { oracle, inState, errors } = await boot(env)
  await inState('loaded')
  server.set({ tools: [empty, ...saves.slice(0, 3)] })
  await inState('degraded')
  const before = called().length
  expect((await oracle.chat('Remember that Ada likes tea')).text).toContain('lacks a tool')
  expect((await oracle.actor.request('/memory')).status).toBe(503)
  expect(called()).toHaveLength(before)
  expect(errors()[0]).toContain('has no tool delete_entities')
  server.set({ tools: [empty, ...saves] })
  await inState('loaded')
  expect((await oracle.chat('Remember that Ada likes tea')).text).toContain('Remembered')
  expect(called().slice(before)).toEqual(expect.arrayContaining(['create_entities', 'add_observations']))
})

test('observations of other clients are facts, and those of other people are dropped', async () => {
  const { server, env } = await serve({ tools: [empty, ...saves] })
  const { oracle, inState, log } = await boot(env)
  const own = { name: oracle.actor.did, entityType: 'person', observations: ['Ada keeps bees', 'x [sibyl {"id":"'] }
  const other = { name: 'did:key:other', entityType: 'person', observations: ['Bob keeps goats'] }
  server.set({ tools: [open([{ structured: { entities: [own, other] } }]), ...saves] })
  await inState('loaded')
  expect((await textsOf(await oracle.actor.request('/memory'))).toSorted()).toEqual([
    'Ada keeps bees',
    'x [sibyl {"id":"',
  ])
  expect(log.lines.map(({ message }) => message)).toContain(
    'the remote memory returned facts of another person; they were dropped',
  )
})
