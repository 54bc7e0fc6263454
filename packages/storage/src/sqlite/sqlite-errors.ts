import { type Constraint, constraintViolated, storageErrors } from '../errors/storage-errors.ts'

/** The result codes of SQLite that storage handles (https://sqlite.org/rescode.html). */
const code = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const

/** SQLITE_IOERR_SHMSIZE: the index of the log could not grow, which a full disk alone causes. */
const NO_SPACE_FOR_INDEX = 4874

const constraints: Readonly<Record<number, Constraint>> = {
  275: 'check',
  787: 'foreign_key',
  1299: 'not_null',
  1555: 'unique',
  2067: 'unique',
  2579: 'unique',
}

const resultCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined

/** Whether SQLite refused because the connection or the file only reads. */
export const isReadOnlyFailure = (error: unknown): boolean => ((resultCodeOf(error) ?? 0) & 0xff) === code.readOnly

/** Whether the disk took nothing: it is full, fails, or only reads. */
export const isDiskFailure = (error: unknown): boolean =>
  [storageErrors.disk_full, storageErrors.database_io, storageErrors.database_read_only].some(({ is }) => is(error))

/**
 * Turns an error of node:sqlite into one of storage's classes; any other error comes back as it is.
 *
 * @param file the last part of the database's path
 */
export const storageErrorOf = (error: unknown, file: string): unknown => {
  const resultCode = resultCodeOf(error)
  if (resultCode === undefined) return error
  const options = { cause: error }
  if (resultCode === NO_SPACE_FOR_INDEX) return storageErrors.disk_full({ database: file }, options)
  switch (resultCode & 0xff) {
    case code.busy:
    case code.locked:
      return storageErrors.database_locked({ file }, options)
    case code.readOnly:
    case code.cannotOpen:
      return storageErrors.database_read_only({ file }, options)
    case code.io:
      return storageErrors.database_io({ database: file }, options)
    case code.corrupt:
      return storageErrors.database_corrupt({ file, problem: 'is damaged' }, options)
    case code.notADatabase:
      return storageErrors.database_corrupt({ file, problem: 'is not a SQLite database' }, options)
    case code.full:
      return storageErrors.disk_full({ database: file }, options)
    case code.constraint: {
      const constraint = constraints[resultCode]
      return constraint === undefined ? error : constraintViolated(constraint, options)
    }
    default:
      return error
  }
}
