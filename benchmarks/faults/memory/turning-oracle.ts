// Runs chat turns in process, one after the other without a pause, and reports the memory usage from time to time.
import { randomUUID } from 'node:crypto'
import { createOracleApp } from '@sibyl/core'
import { definePlugin, defineTool, type Tool } from '@sibyl/plugin'
import { readStream, silentLogger, testActor } from '@sibyl/testing'
import { z } from 'zod'
import { endlessModel } from '../frame/endless-model.ts'
import { announceOracle } from '../frame/start-oracle.ts'

const [turns = 0, everyTurns = 0] = process.argv.slice(2).map(Number)
const atOnce = 8
const turnsPerSession = 4

const style = defineTool({
  description: 'Looks.',
  input: z.object({}),
  effect: 'read',
  execute: async () => 'seen',
})

const eyes = definePlugin({
  name: 'eyes',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Eyes', summary: 'Looks.', whenToUse: ['someone wants to look'], load: 'always' },
  setup: () => ({ tools: { look: style as Tool } }),
})

/** Every fourth turn calls a tool. */
let calls = 0
const app = await createOracleApp({
  plugins: [eyes],
  model: endlessModel(({ prompt }) => {
    if (prompt.at(-1)?.role === 'tool') return ['I looked.']
    calls += 1
    return calls % 4 === 0 ? [{ tool: 'look' }] : ['A short answer.']
  }),
  logger: silentLogger,
})
announceOracle('in process', app.identity.did)

const report = (done: number) => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  process.stdout.write(`${JSON.stringify({ turns: done, heapUsed, rss })}\n`)
}

let begun = 0
let done = 0
let unended = 0
/** Uses a new caller every hundred sessions; every second session is deleted. */
const converse = async () => {
  let person = testActor(app)
  for (let session = 0; begun < turns; session += 1) {
    if (session % 100 === 99) person = testActor(app)
    const id = randomUUID()
    for (let turn = 0; turn < turnsPerSession && begun < turns; turn += 1) {
      begun += 1
      const { last } = await readStream(await person.request('/chat', { json: { id, message: 'Look.' } }))
      if (last?.type !== 'finish') unended += 1
      done += 1
      if (done % everyTurns === 0) report(done)
    }
    if (session % 2 === 0) await person.request(`/sessions/${id}`, { method: 'DELETE' })
  }
}
await Promise.all(Array.from({ length: atOnce }, converse))
process.stdout.write(`${JSON.stringify({ finished: done, unended })}\n`)
await app.close()
process.exit(0)
