// The oracle of the chat turn with every adapter.
import { bundledAdapters } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'

const weather = definePlugin({
  name: 'weather',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: {
    title: 'Weather',
    summary: 'The current weather in a city.',
    whenToUse: ['someone asks for the weather'],
    load: 'always',
  },
  setup: () => ({
    tools: {
      get_current_weather: defineTool({
        description: 'The current weather in a city.',
        input: z.object({ city: z.string().max(100) }),
        effect: 'read',
        execute: async ({ city }) => ({ city, temp_c: 14, conditions: 'slight rain' }),
      }),
    },
  }),
})

const config = { name: 'Benchmark' }
const app = await createOracleApp({ config, plugins: [weather], adapters: bundledAdapters() })
const { port } = await app.listen({ port: 0 })
console.log(`listening http://127.0.0.1:${port}`)
process.once('SIGTERM', async () => {
  await app.close()
  process.exit(0)
})
