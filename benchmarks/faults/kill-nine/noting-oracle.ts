// An oracle for killing: each message makes it note a line in a file outside, its effect, and then answer in many words.
import { appendFileSync } from 'node:fs'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool, type Tool } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/testing'
import { z } from 'zod'
import { askedText, endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'
import { unknownText } from './noting-clients.ts'

const [journal = '', clockAheadMs = '0'] = process.argv.slice(2)
const answerWords = 20
const pause = (longestMs: number) => new Promise(resolve => setTimeout(resolve, Math.random() * longestMs))

const note = defineTool({
  description: 'Notes a line.',
  input: z.object({ line: z.string() }),
  effect: 'write',
  execute: async ({ line }, { idempotencyKey, emit }) => {
    await pause(5)
    appendFileSync(journal, `${idempotencyKey} ${line}\n`)
    emit({ name: 'noted', data: line })
    await pause(15)
    return 'noted'
  },
})

const notebook = definePlugin({
  name: 'notebook',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Notebook', summary: 'Notes lines.', whenToUse: ['someone wants a line noted'], load: 'always' },
  setup: () => ({ tools: { note: note as Tool } }),
})

const app = await createOracleApp({
  plugins: [notebook],
  model: endlessModel(call => {
    const asked = call.prompt.findLastIndex(({ role }) => role === 'user')
    const results = call.prompt.slice(asked).filter(({ role }) => role === 'tool')
    if (JSON.stringify(results).includes('Outcome unknown')) return [unknownText]
    if (results.length === 0) return ['I note it. ', { tool: 'note', input: { line: askedText(call) } }]
    return Array.from({ length: answerWords }, (_, index) => [`word${index} `, { wait: pause(25) }]).flat()
  }),
  clock: { now: () => Date.now() + Number(clockAheadMs) },
  logger: silentLogger,
})
const { url } = await app.listen({ port: 0 })
announceOracle(url, app.identity.did)
