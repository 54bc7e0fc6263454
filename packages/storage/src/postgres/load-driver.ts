import { storageErrors } from '../errors/storage-errors.ts'

/** The `pg` package. */
export type PgModule = typeof import('pg')['default']

/**
 * Loads the `pg` package, which only PostgreSQL needs.
 *
 * @throws `driver_missing` when it is not installed
 */
export const loadPg = async (): Promise<PgModule> => {
  try {
    return (await import('pg')).default
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw storageErrors.driver_missing({ package: 'pg', purpose: 'the database', range: '^8.23.0' }, { cause: error })
    }
    throw error
  }
}
