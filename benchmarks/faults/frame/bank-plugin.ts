import { definePlugin, type Tool } from '@sibyl/plugin'

/** A plugin whose tool `charge` charges an account. */
export const bankPlugin = (charge: Tool) =>
  definePlugin({
    name: 'bank',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Bank', summary: 'Charges accounts.', whenToUse: ['someone pays'], load: 'always' },
    setup: () => ({ tools: { charge } }),
  })
