// An oracle with PLUGINS on-demand plugins of one tool each.
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'

const numbered = (index: number) =>
  definePlugin({
    name: `topic-${index}`,
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: `Topic ${index}`,
      summary: `Finds facts about topic ${index}.`,
      whenToUse: [`someone asks about topic ${index}`],
      examples: [{ user: `What is known about topic ${index}?`, tool: `look_up_topic_${index}`, args: {} }],
      tags: ['topics'],
    },
    env: z.object({ [`TOPIC_${index}_LIMIT`]: z.coerce.number().int().min(1).default(10) }),
    setup: () => ({
      tools: {
        [`look_up_topic_${index}`]: defineTool({
          description: `Finds facts about topic ${index}.`,
          input: z.object({ aspect: z.string().max(100).optional() }),
          effect: 'read',
          execute: async () => ({ known: 'nothing' }),
        }),
      },
    }),
  })

const app = await createOracleApp({
  config: { name: 'Benchmark' },
  plugins: Array.from({ length: Number(process.env.PLUGINS) }, (_, index) => numbered(index + 1)),
})
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
