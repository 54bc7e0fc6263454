import type { Host, Manifest } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'

const capability = (name: string) => {
  const manifest: Manifest = { title: name, summary: `Does ${name}.`, whenToUse: [`${name} is needed`] }
  return { name, manifest, tools: () => ({}), state: () => 'ready' as const }
}

test('a plugin reads what the agent can use: plugins and their capabilities, without adapters and theirs', async () => {
  const ready = Promise.withResolvers<Host>()
  const ports = samplePlugin('ports', { setup: () => ({ capabilities: () => [capability('tides')] }) })
  const adapter = samplePlugin('door', {
    setup: (host: Host) => {
      ready.resolve(host)
      expect(host.capabilities().map(({ name }) => name)).not.toContain('door')
      return { endpoint: '/door', capabilities: () => [capability('street')] }
    },
  })
  await using oracle = await testApp({ plugins: [ports], adapters: [adapter] })
  const { capabilities } = await ready.promise
  expect(capabilities().map(({ name }) => name)).toEqual(['ports', 'tides'])
  expect(capabilities()[1]).toEqual({
    name: 'tides',
    title: 'tides',
    summary: 'Does tides.',
    whenToUse: ['tides is needed'],
    tags: [],
    examples: [],
  })
  const listed = (await (await oracle.actor.request('/capabilities')).json()) as { capabilities: { name: string }[] }
  expect(listed.capabilities.map(({ name }) => name)).toEqual(['ports', 'tides', 'street'])
})
