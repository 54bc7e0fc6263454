import { definePlugin } from '@sibyl/plugin'
import type { Turns } from '@sibyl/plugin/host'

/** A plugin through which a test runs turns as another channel does. */
export const asPlugin = () => {
  const host: { turns?: Turns } = {}
  const plugin = definePlugin({
    name: 'other-channel',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Other channel', summary: 'A channel of a test.', whenToUse: ['never'] },
    setup({ turns }) {
      host.turns = turns
      return {}
    },
  })
  return { plugin, turns: () => host.turns! }
}
