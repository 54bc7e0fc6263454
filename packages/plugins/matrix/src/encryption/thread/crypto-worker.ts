import { type MessagePort, parentPort } from 'node:worker_threads'
import { cryptoOperations } from './crypto-machine.ts'
import type { CryptoAnswer, CryptoCall } from './crypto-messages.ts'
import { IndexedRecords } from './indexed-records.ts'

/** Runs operations one after the other, so that each reports its own changes. */
const serve = (port: MessagePort): void => {
  const records = new IndexedRecords()
  const operations = cryptoOperations(records)
  let last: Promise<void> = Promise.resolve()
  const post = (answer: CryptoAnswer) => port.postMessage(answer)
  const answer = async ({ id, name, args }: CryptoCall): Promise<void> => {
    try {
      const operation = operations[name] as (...all: readonly unknown[]) => Promise<unknown>
      const result = await operation(...args)
      post({ id, result, changes: await records.takeChanges() })
    } catch (error) {
      post({ id, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  port.on('message', (call: CryptoCall) => {
    last = last.then(() => answer(call))
  })
}

if (parentPort) serve(parentPort)
