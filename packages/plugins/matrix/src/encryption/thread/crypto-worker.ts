import { parentPort } from 'node:worker_threads'
import { cryptoOperations } from './crypto-machine.ts'
import type { CryptoAnswer, CryptoCall } from './crypto-messages.ts'
import { IndexedRecords } from './indexed-records.ts'

const records = new IndexedRecords()
const operations = cryptoOperations(records)
let last: Promise<void> = Promise.resolve()

const post = (answer: CryptoAnswer) => parentPort?.postMessage(answer)

const answer = async ({ id, name, args }: CryptoCall): Promise<void> => {
  try {
    const operation = operations[name] as (...all: readonly unknown[]) => Promise<unknown>
    const result = await operation(...args)
    post({ id, result, changes: await records.takeChanges() })
  } catch (error) {
    post({ id, failure: error instanceof Error ? error.message : String(error) })
  }
}

// One after the other, so that each operation reports its own changes.
parentPort?.on('message', (call: CryptoCall) => {
  last = last.then(() => answer(call))
})
