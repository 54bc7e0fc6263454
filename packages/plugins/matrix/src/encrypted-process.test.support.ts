// An oracle that reads Matrix, on the database of DATABASE_URL, and answers `You said: …`. It says `ready` once it reads. A line
// `kill` on its standard input kills it once its thread has encrypted the next message, before the result is stored; any other
// line is answered by `settled` once no message waits. It stays until a signal, or until that input ends.
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { definePlugin, type Host, pause } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { scriptedModel, testApp } from '@sibyl/testing'
import { matrix } from './matrix.ts'

let killsAtEncryption = false
const emit = Worker.prototype.emit
Worker.prototype.emit = function (this: Worker, name: string | symbol, ...args: unknown[]): boolean {
  const [answer] = args as [{ readonly result?: unknown } | undefined]
  const isEncrypted = name === 'message' && typeof answer?.result === 'string' && answer.result.includes('"ciphertext"')
  if (isEncrypted && killsAtEncryption) process.kill(process.pid, 'SIGKILL')
  return emit.call(this, name, ...args)
}

const model = scriptedModel(
  Array.from({ length: 50 }, () => ({ prompt }) => {
    const content = prompt.findLast(({ role }) => role === 'user')?.content
    return `You said: ${Array.isArray(content) ? content.map(part => (part.type === 'text' ? part.text : '')).join('') : ''}`
  }),
)
const found: { host?: Host } = {}

/** Ends the lease of the process before, which was killed, instead of waiting for it. */
const takeOver = definePlugin({
  name: 'take-over',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Take over', summary: 'Takes over.', whenToUse: ['a test does'] },
  requires: ['matrix'],
  async setup(host) {
    found.host = host
    await host.storage.write(tx => sql`update matrix_lease set held_until = 0`.execute(tx))
    return {}
  },
})

const oracle = await testApp({ plugins: [matrix(), takeOver], model, env: process.env })
await oracle.app.ready
console.log('ready')
const end = async () => {
  await oracle.app.close()
  process.exit()
}
process.once('SIGTERM', end)
const lines = createInterface({ input: process.stdin })
lines.once('close', () => process.exit())
lines.on('line', async line => {
  if (line === 'kill') {
    killsAtEncryption = true
    return
  }
  const waiting = sql`select 1 from matrix_inbox where state = 'waiting' limit 1`
  while ((await waiting.execute(found.host!.storage.read)).rows.length > 0) await pause(20)
  console.log('settled')
})
