import { expect, test } from 'vitest'
import { bundledPlugins } from './bundled-plugins.ts'

test('every plugin is marked as bundled and named once', () => {
  const plugins = bundledPlugins()
  const names = plugins.map(plugin => plugin.name)
  expect(names).toEqual([
    'weather',
    'ussd',
    'entities',
    'claims',
    'credentials',
    'sms',
    'matrix',
    'memory',
    'firecrawl',
    'sandbox',
    'skills',
    'user-preferences',
    'tasks',
    'credits',
    'files',
    'mcp',
  ])
  expect(plugins.every(plugin => plugin.bundled)).toBe(true)
})

test('each call creates new plugins', () => {
  expect(bundledPlugins()[0]).not.toBe(bundledPlugins()[0])
})
