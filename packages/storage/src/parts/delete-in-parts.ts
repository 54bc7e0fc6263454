import type { Storage } from '../contract/storage.ts'
import { changeInParts, type RowsToChange } from './change-in-parts.ts'

/** The rows that `deleteInParts` deletes. */
export type RowsToDelete<Tables, Table extends keyof Tables & string> = RowsToChange<Tables, Table>

/**
 * Deletes rows that are no longer needed in small writes of their own, so that other work goes on between them. On SQLite one
 * large `DELETE` stops the event loop for as long as it takes. A row that changed since its key was read is checked again.
 *
 * @returns how many rows it deleted
 * @example
 * await deleteInParts(storage, { table: 'notes', key: ['id'], where: eb => eb('expires_at', '<', clock.now()) })
 */
export const deleteInParts = <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  rows: RowsToDelete<Tables, Table>,
): Promise<number> =>
  changeInParts(storage, rows, async (tx, among) => {
    const { numDeletedRows } = await tx
      .deleteFrom(rows.table as string)
      .where(among)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
