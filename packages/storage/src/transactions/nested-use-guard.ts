import { AsyncLocalStorage } from 'node:async_hooks'
import { storageErrors } from '../errors/storage-errors.ts'
import type { TransactionScope } from './transaction-scope.ts'

/** Knows whether code runs inside the work of a write of one storage. */
export class NestedUseGuard {
  readonly #inside = new AsyncLocalStorage<TransactionScope>()

  /** Throws `nested_use` inside a work that is still running. */
  assertOutside(used: 'read' | 'write'): void {
    if (this.#inside.getStore()?.active) throw storageErrors.nested_use({ used })
  }

  run<Handle, T>(scope: TransactionScope, work: (tx: Handle) => Promise<T>, tx: Handle): Promise<T> {
    return this.#inside.run(scope, work, tx)
  }
}
