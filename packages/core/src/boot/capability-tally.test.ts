import type { Capability, Host } from '@sibyl/plugin'
import { recordedLogger, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import type { BootFact } from '../logging/boot-facts.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const server = (name: string, state: () => ReturnType<Capability['state']>): Capability => ({
  name,
  manifest: samplePlugin('x').manifest,
  tools: () => ({}),
  state,
})

test('the boot log reports any number of capabilities of a plugin on one line, with their current state', async () => {
  let connected = false
  const connecting = Promise.withResolvers<void>()
  const servers = Array.from({ length: 50 }, (_, index) =>
    server(`s${index}`, () => (!connected ? 'pending' : index < 2 ? 'degraded' : index > 44 ? 'pending' : 'ready')),
  )
  const log = recordedLogger()
  const plugins = [
    samplePlugin('few', { setup: () => ({ capabilities: () => [server('one', () => 'ready')] }) }),
    samplePlugin('many', {
      setup: (host: Host) => {
        host.background('servers', () => connecting.promise)
        return { capabilities: () => servers }
      },
    }),
  ]
  await using oracle = await testApp({ plugins, logger: log })
  connected = true
  connecting.resolve()
  await oracle.app.ready
  const details = log.lines.flatMap(({ fields }) => {
    const { boot, plugin, detail } = fields as { boot: BootFact['kind']; plugin?: string; detail?: string }
    return detail === undefined ? [] : [[boot, plugin, detail]]
  })
  expect(details).toEqual([
    ['available', 'few', '1 of 1 ready'],
    ['pending', 'many', '0 of 50 ready, pending: s0, s1, s2 and 47 more'],
    ['settled', 'many', '43 of 50 ready, pending: s45, s46, s47 and 2 more, degraded: s0, s1'],
  ])
})
