// An oracle whose answers have as many words as the message asks for, one after the other, and a tool call in between.
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool, type Tool } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { askedText, endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const lookup = defineTool({
  description: 'Looks something up.',
  input: z.object({}),
  effect: 'read',
  execute: async () => ({ found: true }),
})

const library = definePlugin({
  name: 'library',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: {
    title: 'Library',
    summary: 'Looks things up.',
    whenToUse: ['someone looks for something'],
    load: 'always',
  },
  setup: () => ({ tools: { look_up: lookup as Tool } }),
})

/** Milliseconds between two words, so that a turn is under way while its connection is cut. */
const msPerWord = Number(process.argv[2] ?? 3)

const app = await createOracleApp({
  plugins: [library],
  model: endlessModel(call => {
    if (call.prompt.at(-1)?.role !== 'tool') return [{ reasoning: 'I look it up.' }, { tool: 'look_up' }]
    return Array.from({ length: Number(askedText(call)) }, (_, index) => [
      `word${index} `,
      { wait: new Promise(resolve => setTimeout(resolve, index * msPerWord)) },
    ]).flat()
  }),
  logger: silentLogger,
})
const { url } = await app.listen({ port: 0 })
announceOracle(url, app.identity.did)
