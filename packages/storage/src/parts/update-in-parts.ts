import type { UpdateObject } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import { changeInParts, type RowsToChange } from './change-in-parts.ts'

/** The rows that `updateInParts` updates. */
export interface RowsToUpdate<Tables, Table extends keyof Tables & string> extends RowsToChange<Tables, Table> {
  /** New values, after which `where` does not match a row any more. */
  readonly set: UpdateObject<Tables, Table>
}

/**
 * Updates rows in small writes of their own, as `deleteInParts` deletes them: where a crash ends it, the next call goes on.
 *
 * @returns how many rows it updated
 * @example
 * await updateInParts(storage, { table: 'notes', key: ['id'], where: eb => eb('author', '=', did), set: { author: '' } })
 */
export const updateInParts = <Tables, Table extends keyof Tables & string>(
  storage: Pick<Storage<Tables>, 'engine' | 'read' | 'write'>,
  rows: RowsToUpdate<Tables, Table>,
): Promise<number> =>
  changeInParts(storage, rows, async (tx, among) => {
    const { numUpdatedRows } = await tx
      .updateTable(rows.table as string)
      .set(rows.set as unknown as Record<string, never>)
      .where(among)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  })
