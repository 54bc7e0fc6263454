import type { Host, PluginParts } from '@sibyl/plugin'
import { recordedLogger, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'

const plugin = (name: string, load: 'always' | 'on-demand', parts: PluginParts, start = async () => {}) =>
  samplePlugin(name, {
    manifest: { ...samplePlugin(name).manifest, load },
    setup: (host: Host) => {
      host.background('connection', start)
      return parts
    },
  })

test('plugins report what boot does not wait for, with its current state', async () => {
  const log = recordedLogger()
  await using oracle = await testApp({
    logger: log,
    plugins: [
      plugin('near', 'always', {}),
      plugin('far', 'on-demand', { state: () => 'ready' }),
      plugin('away', 'on-demand', { state: () => 'degraded', reason: () => 'Nothing listens there.' }),
      plugin('slow', 'always', { state: () => 'pending' }),
      plugin('broken', 'always', {}, () => Promise.reject(new Error('no'))),
    ],
  })
  await oracle.app.ready
  const reported = log.lines.flatMap(({ fields }) => {
    const { boot, plugin, state, detail } = fields as Record<string, string | undefined>
    return boot === 'pending' || boot === 'settled' ? [[boot, plugin, state, detail]] : []
  })
  expect(reported.filter(([boot]) => boot === 'pending')).toEqual(
    ['near', 'far', 'away', 'slow', 'broken'].map(name => ['pending', name, undefined, 'connection']),
  )
  expect(reported.filter(([boot]) => boot === 'settled')).toEqual([
    ['settled', 'near', 'loaded', undefined],
    ['settled', 'far', 'available', undefined],
    ['settled', 'away', 'degraded', 'Nothing listens there.'],
    ['settled', 'slow', 'pending', undefined],
    ['settled', 'broken', 'failed', undefined],
  ])
})
