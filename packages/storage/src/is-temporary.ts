import { StorageError } from './errors/storage-error.ts'
import { isRejection } from './postgres/postgres-errors.ts'

const temporary = new Set([
  'database_in_use',
  'database_locked',
  'database_unreachable',
  'disk_full',
  'move_unfinished',
])

/**
 * Whether the cause of an error can pass without a change of settings: the database is not up yet, is in use, or its disk is
 * full; not a wrong password or an untrusted certificate.
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof StorageError && temporary.has(error.code) && !isRejection(error.cause)
