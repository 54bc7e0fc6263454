// An oracle that reads Matrix, on the database of DATABASE_URL, and answers `You said: …`. With KILL_AT_ENCRYPTION=n it kills
// itself once its thread has encrypted the n-th message, before the result is stored. It says `ready` once it reads, and
// stays until a signal, or until its standard input ends.
import { Worker } from 'node:worker_threads'
import { definePlugin } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { scriptedModel, testApp } from '@sibyl/testing'
import { matrix } from './matrix.ts'

let left = Number(process.env.KILL_AT_ENCRYPTION ?? Number.POSITIVE_INFINITY)
const emit = Worker.prototype.emit
Worker.prototype.emit = function (this: Worker, name: string | symbol, ...args: unknown[]): boolean {
  const [answer] = args as [{ readonly result?: unknown } | undefined]
  const isEncrypted = name === 'message' && typeof answer?.result === 'string' && answer.result.includes('"ciphertext"')
  if (isEncrypted && --left === 0) process.kill(process.pid, 'SIGKILL')
  return emit.call(this, name, ...args)
}

const model = scriptedModel(
  Array.from({ length: 50 }, () => ({ prompt }) => {
    const content = prompt.findLast(({ role }) => role === 'user')?.content
    return `You said: ${Array.isArray(content) ? content.map(part => (part.type === 'text' ? part.text : '')).join('') : ''}`
  }),
)
/** Ends the lease of the process before, which was killed, instead of waiting for it. */
const takeOver = definePlugin({
  name: 'take-over',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Take over', summary: 'Takes over.', whenToUse: ['a test does'] },
  requires: ['matrix'],
  async setup(host) {
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
process.stdin.once('end', () => process.exit()).resume()
