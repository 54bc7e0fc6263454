import {
  type Capability,
  defineTool,
  type Host,
  type Manifest,
  type OraclePlugin,
  type PluginParts,
  type Tools,
} from '@sibyl/plugin'
import { type CapabilityRecord, capabilityRecord } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'

const operatorToken = 'operator-token-for-tests'

const manifest = (title: string, load: Manifest['load'] = 'on-demand'): Manifest => ({
  title,
  summary: `${title} does something.`,
  whenToUse: [`someone asks for ${title}`],
  tags: ['sample'],
  load,
})

const style = defineTool({
  description: 'Looks at something.',
  input: z.object({ what: z.string() }),
  effect: 'read',
  execute: async () => 'seen',
})

const plugin = (name: string, parts: PluginParts, more: Partial<OraclePlugin> = {}) =>
  samplePlugin(name, { manifest: manifest(name), setup: () => parts, ...more })

/** A server that connects and disconnects. */
const notes: { state: ReturnType<Capability['state']>; reason: string; tools: Tools } = {
  state: 'degraded',
  reason: 'connecting to notes.internal failed',
  tools: {},
}

const connections: Capability[] = [
  { name: 'files', manifest: manifest('Files'), tools: () => ({}), state: () => 'degraded' },
  {
    name: 'my-notes',
    manifest: manifest('Notes'),
    tools: () => Promise.reject(new Error('no turn is asked')),
    state: () => notes.state,
    reason: () => notes.reason,
    knownTools: () => notes.tools,
  },
]

const plugins = (stuck: Promise<void>): OraclePlugin[] => [
  plugin('desk', { tools: { desk_look: style } }, { manifest: manifest('desk', 'always') }),
  plugin('library', { tools: { library_look: style }, instructions: 'Be quiet.' }),
  plugin('guests', { tools: () => ({ guests_look: style }) }),
  plugin('connector', { capabilities: () => connections }),
  samplePlugin('slow', {
    setup: (host: Host) => {
      host.background('slow-client', () => stuck)
      return {}
    },
  }),
  samplePlugin('broken', {
    setup: (host: Host) => {
      host.background('broken-client', async () => {
        throw Object.assign(new Error('no route to 10.0.0.7'), { code: 'EHOSTUNREACH' })
      })
      return {}
    },
  }),
  samplePlugin('memory', { env: z.object({ MEMORY_URL: z.string() }), optIn: ['MEMORY_URL'] }),
]

const oracleWith = async () => {
  const stuck = Promise.withResolvers<void>()
  const oracle = await testApp({ plugins: plugins(stuck.promise), env: { ORACLE_OPERATOR_TOKEN: operatorToken } })
  await expect.poll(() => oracle.app.plugins().find(({ name }) => name === 'broken')?.state).toBe('failed')
  const read = async (answer: Promise<Response>) => {
    const { capabilities } = (await (await answer).json()) as { capabilities: CapabilityRecord[] }
    return new Map(capabilities.map(one => [one.name, one]))
  }
  return {
    ...oracle,
    asAnybody: () => read(oracle.actor.request('/capabilities')),
    asOperator: () =>
      read(oracle.app.request('/capabilities', { headers: { authorization: `Bearer ${operatorToken}` } })),
    async [Symbol.asyncDispose]() {
      stuck.resolve()
      await oracle.app.close()
    },
  }
}

test('lists every plugin and capability with state, tools and version, also failed ones', async () => {
  await using oracle = await oracleWith()
  const all = await oracle.asAnybody()
  for (const record of all.values()) expect(capabilityRecord.parse(record)).toEqual(record)
  expect([...all.values()].map(({ name, plugin: owner, mode, state }) => [name, owner, mode, state])).toEqual([
    ['desk', 'desk', 'always', 'ready'],
    ['library', 'library', 'on-demand', 'ready'],
    ['guests', 'guests', 'on-demand', 'ready'],
    ['connector', 'connector', 'on-demand', 'ready'],
    ['files', 'connector', 'on-demand', 'degraded'],
    ['my-notes', 'connector', 'on-demand', 'degraded'],
    ['slow', 'slow', 'on-demand', 'pending'],
    ['broken', 'broken', 'on-demand', 'failed'],
    ['memory', 'memory', 'on-demand', 'excluded'],
  ])
  expect(all.get('desk')).toMatchObject({ tools: ['desk_look'], tags: ['sample'], version: '0.1.0' })
  expect(all.get('guests')).toMatchObject({ tools: [], toolsVary: true })
  expect(all.get('files')).toMatchObject({ tools: [], toolsVary: true })
  expect(all.get('desk')).not.toHaveProperty('toolsVary')
})

test('full reasons are for the operator', async () => {
  await using oracle = await oracleWith()
  const reasons = async (list: Promise<Map<string, CapabilityRecord>>) =>
    [...(await list).values()].flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]]))
  expect(await reasons(oracle.asOperator())).toEqual([
    ['files', 'It is degraded.'],
    ['my-notes', 'connecting to notes.internal failed'],
    ['slow', 'slow-client starts'],
    ['broken', expect.stringMatching(/^broken-client failed/)],
    ['memory', 'MEMORY_URL is not set'],
  ])
  expect(await reasons(oracle.asAnybody())).toEqual([
    ['files', 'It is degraded.'],
    ['my-notes', 'It is degraded.'],
    ['slow', 'It is starting.'],
    ['broken', 'It failed to start.'],
    ['memory', 'It is disabled in this oracle.'],
  ])
  expect((await oracle.app.request('/capabilities')).status).toBe(401)
  expect((await oracle.app.request('/capabilities', { headers: { authorization: 'Bearer other' } })).status).toBe(401)
})

test('the token cost is what loading adds: definitions, instructions and the manifest', async () => {
  await using oracle = await oracleWith()
  const all = await oracle.asAnybody()
  const schema = JSON.stringify(z.toJSONSchema(style.input, { io: 'input' }))
  const definition = (name: string) => `${name}${style.description}${schema}`
  expect(all.get('desk')?.tokens).toBe(Math.ceil(definition('desk_look').length / 4))
  const report = `someone asks for libraryBe quiet.library_look${style.description}`
  expect(all.get('library')?.tokens).toBe(Math.ceil(`${definition('library_look')}${report}`.length / 4))
  expect(all.get('memory')?.tokens).toBe(0)
})

test('of a capability it lists the last known tools, their tokens and its current state', async () => {
  await using oracle = await oracleWith()
  const reportedBy = async () => (await oracle.asOperator()).get('my-notes')
  expect(await reportedBy()).toMatchObject({ state: 'degraded', tools: [], toolsVary: true })
  const none = (await reportedBy())?.tokens ?? 0
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic.self = cyclic
  Object.assign(notes, {
    state: 'ready',
    tools: {
      look: { ...style, inputSchema: { type: 'object' } },
      odd: 'no tool',
      cyclic: { ...style, inputSchema: cyclic },
    },
  })
  expect(await reportedBy()).toMatchObject({ state: 'ready', tools: ['my_notes_look'] })
  expect(await reportedBy()).not.toHaveProperty('reason')
  expect((await reportedBy())?.tokens).toBeGreaterThan(none)
  Object.assign(notes, { state: 'pending', reason: 'x'.repeat(5_000) })
  expect((await reportedBy())?.reason?.length).toBe(300)
  Object.assign(notes, { state: 'degraded', reason: 'connecting to notes.internal failed', tools: {} })
})
