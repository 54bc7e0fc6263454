// An oracle that reads Matrix, on the database of DATABASE_URL, and answers `You said: …`. With KILL_AT_ENCRYPTION=n it kills
// itself once its thread has encrypted the n-th message, before the result is stored. It says `ready` once it reads, and
// stays until a signal, or until its standard input ends.
import { Worker } from 'node:worker_threads'
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
const oracle = await testApp({ plugins: [matrix()], model, env: process.env })
await oracle.app.ready
console.log('ready')
const end = async () => {
  await oracle.app.close()
  process.exit()
}
process.once('SIGTERM', end)
process.stdin.once('end', () => process.exit()).resume()
