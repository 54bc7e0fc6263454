import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '@sibyl/plugin'
import { type AnswerCheck, type CheckedAnswer, checkAnswer } from './check-answer.ts'

const post = (message: WorkerMessage<CheckedAnswer>) => parentPort?.postMessage(message)

// A separate thread: a schema that takes too much time or memory ends only this thread.
parentPort?.on('message', (check: AnswerCheck) => {
  post({ kind: 'begun' })
  post({ kind: 'result', value: checkAnswer(check) })
})
post({ kind: 'ready' })
