import { EventEmitter, once } from 'node:events'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'

/** Emits `start` with its signal when `shop_wait` runs. */
export const waits = new EventEmitter()

/** A tool that asks before it pays, and one that waits until it is canceled. */
export const shop = definePlugin({
  name: 'shop',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'on-demand' },
  setup: () => ({
    tools: {
      shop_pay: defineTool({
        description: 'Pays.',
        input: z.object({ amount: z.number() }),
        output: z.object({ paid: z.number() }),
        effect: 'write',
        approval: 'user',
        describe: ({ amount }) => `Pay ${amount} €`,
        execute: async ({ amount }) => ({ paid: amount }),
      }),
      shop_wait: defineTool({
        description: 'Waits.',
        input: z.object({}),
        effect: 'read',
        async execute(_, { signal }) {
          const aborted = once(signal, 'abort')
          waits.emit('start', signal)
          await aborted
          throw new Error('aborted')
        },
      }),
    },
  }),
})
