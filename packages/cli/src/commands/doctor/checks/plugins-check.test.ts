import type { OracleInspection } from '@sibyl/core/records'
import { expect, test } from 'vitest'
import { contextOf } from '../doctor-context.test.helper.ts'
import { checkPlugins } from './plugins-check.ts'

type Plugin = OracleInspection['plugins'][number]

const plugin = (name: string, part: Partial<Plugin>): Plugin => ({
  name,
  version: '0.1.0',
  title: name,
  summary: '',
  bundled: true,
  load: 'on-demand',
  state: 'available',
  tools: [],
  toolsVary: false,
  routes: [],
  ...part,
})

test('a connection made at runtime is not an error, an unreachable server is a warning', async () => {
  const plugins = [
    plugin('weather', {}),
    plugin('sandbox', { state: 'pending', reason: 'connection starts' }),
    plugin('sms', { state: 'degraded', reason: 'The provider is away.' }),
    plugin('memory', { state: 'excluded', variable: 'MEMORY_MCP_URL' }),
    plugin('matrix', { state: 'failed', reason: 'connection was refused' }),
  ]
  const findings = await checkPlugins(await contextOf({ inspection: { plugins } }))
  expect(findings.filter(({ check }) => check === 'plugins').map(({ state, message }) => [state, message])).toEqual([
    ['ok', '1 plugin: weather'],
    ['ok', 'sandbox connects when the oracle runs'],
    ['warn', 'sms is degraded: The provider is away.'],
    ['ok', 'memory is excluded: MEMORY_MCP_URL is blank'],
    ['fail', 'matrix failed: connection was refused'],
  ])
})

test('adapters are listed with their paths, and those that are off by the variable', async () => {
  const plugins = [
    plugin('openai', { adapter: { endpoint: '/v1' } }),
    plugin('ag-ui', { state: 'excluded', reason: 'ORACLE_ADAPTERS', adapter: {} }),
  ]
  const findings = await checkPlugins(await contextOf({ inspection: { plugins } }))
  expect(findings.filter(({ check }) => check === 'adapters').map(({ state, message }) => [state, message])).toEqual([
    ['ok', '1 adapter: openai at /v1'],
    ['ok', 'ag-ui off: not in ORACLE_ADAPTERS'],
  ])
  expect(findings.find(({ check }) => check === 'plugins')?.message).toBe('0 plugins: ')
})
