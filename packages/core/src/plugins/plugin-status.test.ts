import type { Capability, PluginParts } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'
import type { BackgroundTask } from './background-tasks.ts'
import { PluginStatus } from './plugin-status.ts'

const manifest = (load: 'always' | 'on-demand') => ({ title: 'T', summary: 'S', whenToUse: ['x'], load })
const ready = (name: string, load: 'always' | 'on-demand', parts: PluginParts = {}) => ({
  plugin: samplePlugin(name, { manifest: manifest(load) }),
  parts,
  durationMs: 5,
})
const states = (status: PluginStatus) => status.list().map(({ name, state }) => [name, state])

test('separates loaded, available and excluded, with the reason', () => {
  const status = new PluginStatus({
    plugins: () => [ready('credits', 'always'), ready('weather', 'on-demand')],
    excluded: [
      { plugin: samplePlugin('memory'), reason: 'opt-in', variable: 'MEMORY_MCP_URL' },
      { plugin: samplePlugin('sms'), reason: 'features' },
    ],
    tasks: () => [],
  })
  expect(states(status)).toEqual([
    ['credits', 'loaded'],
    ['weather', 'available'],
    ['memory', 'excluded'],
    ['sms', 'excluded'],
  ])
  expect(status.find('memory')).toMatchObject({ reason: 'MEMORY_MCP_URL is not set', variable: 'MEMORY_MCP_URL' })
  expect(status.find('sms')?.reason).toBe('disabled by features')
  expect(status.find('weather')).toMatchObject({ plugin: 'weather', version: '0.1.0', mode: 'on-demand', setupMs: 5 })
  expect(status.find('nobody')).toBeUndefined()
})

test('follows the background tasks of a plugin', () => {
  let tasks: BackgroundTask[] = []
  const status = new PluginStatus({ plugins: () => [ready('matrix', 'always')], excluded: [], tasks: () => tasks })
  const task = (name: string, state: BackgroundTask['state']): BackgroundTask => ({ plugin: 'matrix', name, state })
  tasks = [task('sync', 'pending'), { ...task('x', 'failed'), plugin: 'other' }]
  expect(status.find('matrix')).toMatchObject({ state: 'pending', reason: 'sync starts' })
  tasks = [task('sync', 'loaded')]
  expect(status.find('matrix')?.state).toBe('loaded')
  tasks = [task('sync', 'pending'), { ...task('crypto', 'failed'), reason: 'did not start within 60 s' }]
  expect(status.find('matrix')).toMatchObject({ state: 'failed', reason: 'crypto did not start within 60 s' })
})

test('follows the state that a plugin reports, and contains errors', () => {
  let state: ReturnType<Capability['state']> = 'pending'
  const broken = () => {
    throw new Error('x')
  }
  const status = new PluginStatus({
    plugins: () => [
      ready('memory', 'always', { state: () => state, reason: () => 'The server at key-1 is unreachable.' }),
      ready('sandbox', 'on-demand', { state: broken, reason: broken }),
    ],
    excluded: [],
    tasks: () => [],
    redact: text => text.replace('key-1', '…'),
  })
  expect(status.find('memory')).toMatchObject({ state: 'pending', reason: 'The server at … is unreachable.' })
  state = 'degraded'
  expect(status.find('memory')?.state).toBe('degraded')
  state = 'ready'
  expect(status.find('memory')).toMatchObject({ state: 'loaded' })
  expect(status.find('memory')).not.toHaveProperty('reason')
  expect(status.find('sandbox')).toMatchObject({ state: 'degraded' })
})

test('lists capabilities after their plugin, with their current state', () => {
  let state: ReturnType<Capability['state']> = 'pending'
  const capability = (name: string, report: Capability['state']): Capability => ({
    name,
    manifest: manifest('on-demand'),
    tools: () => ({}),
    state: report,
  })
  const broken = () => {
    throw new Error('x')
  }
  const parts: PluginParts = { capabilities: () => [capability('files', () => state), capability('mail', broken)] }
  const status = new PluginStatus({ plugins: () => [ready('mcp', 'on-demand', parts)], excluded: [], tasks: () => [] })
  expect(states(status)).toEqual([
    ['mcp', 'available'],
    ['files', 'pending'],
    ['mail', 'degraded'],
  ])
  expect(status.find('files')?.plugin).toBe('mcp')
  state = 'ready'
  expect(status.find('files')?.state).toBe('available')
})

test('a plugin that throws when listing capabilities has none', () => {
  const parts: PluginParts = {
    capabilities() {
      throw new Error('x')
    },
  }
  const status = new PluginStatus({ plugins: () => [ready('mcp', 'always', parts)], excluded: [], tasks: () => [] })
  expect(states(status)).toEqual([['mcp', 'loaded']])
})
