import type { CompiledQuery } from 'kysely'
import { storageErrors } from '../errors/storage-errors.ts'

const CONTROL = /^\s*(begin|start\s+transaction|commit|end|rollback|abort|savepoint|release)\b/i

/**
 * Keeps raw SQL from beginning or ending a transaction: that would break the one of the write it is in, or of others.
 *
 * @throws `handle_misuse`
 */
export const assertNoTransactionControl = ({ query, sql }: CompiledQuery): void => {
  if (query.kind === 'RawNode') assertNoControl(sql)
}

/** The same for SQL that is raw in any case. */
export const assertNoControl = (sql: string): void => {
  if (CONTROL.test(sql))
    throw storageErrors.handle_misuse({
      method: 'A statement that begins or ends a transaction',
      instead: 'storage.write does that.',
    })
}
