// The program of a worker thread: it runs one program in QuickJS and is then terminated. It only imports relative paths
// and npm packages, and stays beside `code-pool.ts`, also in the published package.
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerMessage } from '@sibyl/plugin'
import type { Program, ProgramEnd } from './program/program-messages.ts'
import { createOutput } from './program/program-output.ts'
import { startEngine } from './program/run-program.ts'

const port = parentPort
if (port === null) throw new Error('This module is the program of a worker thread.')
const post = (message: WorkerMessage<ProgramEnd, string>) => port.postMessage(message)

// Sets the dates of this thread, which QuickJS uses for local time, to UTC, because the time zone of the oracle is
// private.
const dates = Date.prototype
for (const name of ['Date', 'Day', 'FullYear', 'Hours', 'Minutes', 'Month', 'Seconds'] as const) {
  dates[`get${name}`] = dates[`getUTC${name}`]
}
dates.getTimezoneOffset = () => 0

const output = createOutput(value => post({ kind: 'progress', value }))
const engine = await startEngine(workerData as WebAssembly.Module, text => output.print(text))
port.once('message', (program: Program) => {
  post({ kind: 'begun' })
  const value = engine.run(program)
  output.flush()
  post({ kind: 'result', value })
})
post({ kind: 'ready' })
