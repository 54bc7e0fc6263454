// The program of a worker thread: it runs one program in QuickJS and is ended then. It imports by relative paths and packages of
// npm alone, and stands beside `start-code-worker.ts`, also in what is packed.
import { parentPort } from 'node:worker_threads'
import type { Program, WorkerMessage } from './program/program-messages.ts'
import { createOutput } from './program/program-output.ts'
import { startEngine } from './program/run-program.ts'
import { useUtc } from './program/use-utc.ts'

const port = parentPort
if (port === null) throw new Error('This is the program of a worker thread.')
const tell = (message: WorkerMessage) => port.postMessage(message)

useUtc()
const output = createOutput(text => tell({ kind: 'output', text }))
const engine = await startEngine(text => output.print(text))
port.once('message', (program: Program) => {
  tell({ kind: 'begun' })
  const end = engine.run(program)
  output.flush()
  tell({ kind: 'end', end })
})
tell({ kind: 'ready' })
