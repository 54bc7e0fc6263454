import { definePlugin, defineTool } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { z } from 'zod'
import { a2a } from '../a2a.ts'

// An oracle in a process of its own, whose tool never ends: prints its address.

const stuck = definePlugin({
  name: 'stuck',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Stuck', summary: 'Never ends.', whenToUse: ['always'], load: 'always' },
  setup: () => ({
    tools: {
      hang: defineTool({
        description: 'Hangs.',
        input: z.object({}),
        effect: 'write',
        execute: () => new Promise<string>(() => {}),
      }),
    },
  }),
})

const { app } = await testApp({
  plugins: [stuck],
  adapters: [a2a()],
  model: scriptedModel([{ tool: 'hang', input: {} }]),
  env: {
    DATABASE_URL: process.env.DATABASE_URL,
    ORACLE_MNEMONIC: process.env.ORACLE_MNEMONIC,
    ORACLE_API_KEYS: process.env.ORACLE_API_KEYS,
    HOST: '127.0.0.1',
    PORT: '0',
  },
})
const { url } = await app.listen()
process.stdout.write(`${url}\n`)
