import { definePlugin, type OraclePlugin } from '@sibyl/plugin'
import { personNotices, type ServiceOf } from '@sibyl/protocol'

/** A plugin that tells people something in their rooms, as others do. */
export const noticeSender = (): {
  readonly plugin: OraclePlugin
  readonly notices: () => ServiceOf<typeof personNotices.matrix>
} => {
  const booted: { notices?: ServiceOf<typeof personNotices.matrix> } = {}
  const plugin = definePlugin({
    name: 'teller',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Teller', summary: 'Tells.', whenToUse: ['a test does'] },
    requires: ['matrix'],
    setup(host) {
      booted.notices = host.service(personNotices.matrix)
      return {}
    },
  })
  return { plugin, notices: () => booted.notices! }
}
