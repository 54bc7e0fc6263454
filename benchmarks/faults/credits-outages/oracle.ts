// An oracle whose turns cost credit, with a tool that writes, so that a turn has statements of every kind.
import { setTimeout as pause } from 'node:timers/promises'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool, type Tool } from '@sibyl/plugin'
import { credits } from '@sibyl/plugin-credits'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const note = defineTool({
  description: 'Notes a line.',
  input: z.object({ line: z.string() }),
  effect: 'write',
  execute: async () => 'noted',
})

const notebook = definePlugin({
  name: 'notebook',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Notebook', summary: 'Notes lines.', whenToUse: ['someone wants a line noted'], load: 'always' },
  setup: () => ({ tools: { note: note as Tool } }),
})

const app = await createOracleApp({
  plugins: [notebook, credits()],
  config: { price: '1 credit a turn' },
  model: endlessModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool'
      ? [{ wait: pause(Math.random() * 40) }, 'All is well.']
      : [{ tool: 'note', input: { line: 'harbour' } }],
  ),
  logger: silentLogger,
})
const { url } = await app.listen({ port: 0, host: '127.0.0.1' })
process.once('SIGTERM', () => void app.close())
announceOracle(url, app.identity.did)
