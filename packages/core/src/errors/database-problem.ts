import type { BootProblem } from '@sibyl/plugin/host'
import { isTemporary, StorageError, storageErrors } from '@sibyl/storage'
import { safeReason } from './safe-reason.ts'

/**
 * Returns the boot problem of a failed database. A full disk is one problem, whichever step fails.
 *
 * @param what the step: 'the tables of core'
 */
export const databaseProblem = (what: string, error: unknown): BootProblem =>
  storageErrors.disk_full.is(error)
    ? {
        code: error.code,
        headline: 'The disk of the database is full',
        lines: [
          `The oracle writes to the database '${error.facts.database}' when it starts, and the disk has no space left.`,
          'Free disk space, then start the oracle again. Stored data is unchanged.',
        ],
        variable: 'DATABASE_URL',
        isTemporary: true,
      }
    : {
        code: error instanceof StorageError ? error.code : 'database_failed',
        headline: `The database is unavailable (${what})`,
        lines: [error instanceof StorageError ? error.message : `It ${safeReason(error)}.`],
        ...(isTemporary(error) ? { isTemporary: true } : {}),
        ...(what === 'DATABASE_URL' ? { variable: what } : {}),
      }
