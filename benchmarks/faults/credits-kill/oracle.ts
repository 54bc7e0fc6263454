// An oracle whose turns cost credit and take a moment; asked for a survey, its model calls a priced tool.
import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { credits } from '@sibyl/plugin-credits'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { askedText, endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const survey = defineTool({ description: 'Surveys.', input: z.object({}), effect: 'read', execute: async () => 'seen' })
const shop = definePlugin({
  name: 'shop',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Shop', summary: 'Sells.', whenToUse: ['someone buys'], load: 'always' },
  setup: () => ({ tools: { survey } }),
})
const app = await createOracleApp({
  plugins: [credits(), shop],
  model: endlessModel(call => {
    const calls = askedText(call).startsWith('survey') && call.prompt.at(-1)?.role !== 'tool'
    return [{ wait: pause(Math.random() * 40) }, calls ? { tool: 'survey', input: {} } : 'All is well.']
  }),
  logger: silentLogger,
})
const { port } = await app.listen({ port: 0, host: '127.0.0.1' })
announceOracle(`http://127.0.0.1:${port}`, app.identity.did)
