import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { matrixErrors } from '../client/matrix-errors.ts'
import type { CryptoAnswer, CryptoOperations, OperationName, RecordChange } from './thread/crypto-messages.ts'

/** Time limit of an operation, and of the first one, which loads the library, in milliseconds. */
const limits = { openMs: 60_000, operationMs: 30_000 }
/** Maximum heap of the thread, in megabytes; the memory of WebAssembly is not part of it. */
const memoryMb = 256

/** The result of an operation, with the records that changed. */
export interface Changed<Result> {
  readonly result: Result
  readonly changes: readonly RecordChange[]
}

/** The thread that encrypts and decrypts. After a failure it is unusable; its state is then read from the database. */
export class CryptoThread {
  readonly #worker: Worker
  readonly #calls = new Map<number, PromiseWithResolvers<Changed<unknown>>>()
  #count = 0
  #failure: Error | undefined

  constructor() {
    this.#worker = new Worker(createRequire(import.meta.url).resolve('@sibyl/plugin-matrix/crypto-worker'), {
      name: 'matrix encryption',
      env: {},
      argv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    this.#worker.on('message', (answer: CryptoAnswer) => this.#take(answer))
    this.#worker.on('error', cause => this.#fail(matrixErrors.matrix_encryption_failed({ cause })))
    this.#worker.once('exit', () => this.#fail(matrixErrors.matrix_encryption_failed()))
  }

  /** Runs an operation. @throws `matrix_encryption_failed`; the thread is then unusable */
  async call<Name extends OperationName>(
    name: Name,
    ...args: Parameters<CryptoOperations[Name]>
  ): Promise<Changed<ReturnType<CryptoOperations[Name]>>> {
    if (this.#failure) throw this.#failure
    const call = Promise.withResolvers<Changed<unknown>>()
    const id = ++this.#count
    this.#calls.set(id, call)
    const timer = setTimeout(
      () => this.#fail(matrixErrors.matrix_encryption_failed({ cause: new Error(`${name} took too long.`) })),
      name === 'open' ? limits.openMs : limits.operationMs,
    )
    this.#worker.postMessage({ id, name, args })
    try {
      return (await call.promise) as Changed<ReturnType<CryptoOperations[Name]>>
    } finally {
      clearTimeout(timer)
      this.#calls.delete(id)
    }
  }

  /** Ends the thread. May be called again. */
  async close(): Promise<void> {
    this.#fail(matrixErrors.matrix_encryption_failed())
    await this.#worker.terminate()
  }

  #take(answer: CryptoAnswer): void {
    const call = this.#calls.get(answer.id)
    if ('result' in answer) call?.resolve(answer)
    else call?.reject(matrixErrors.matrix_encryption_failed({ cause: new Error(answer.failure) }))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const call of this.#calls.values()) call.reject(this.#failure)
  }
}
