import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'

/** A plugin with one tool that is always loaded and answers at once. */
export const weather = definePlugin({
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
