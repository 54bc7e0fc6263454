import type { Selectable } from '@sibyl/plugin/storage'
import type { MatrixStorage, MatrixTables, MatrixTransaction } from '../store/matrix-tables.ts'
import type { CryptoRecord, RecordChange } from './thread/crypto-messages.ts'

export type StoredDevice = Selectable<MatrixTables['matrix_devices']>

export const readDevice = (read: MatrixStorage['read'], userId: string): Promise<StoredDevice | undefined> =>
  read.selectFrom('matrix_devices').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const readRecords = async (read: MatrixStorage['read']): Promise<CryptoRecord[]> => {
  const rows = await read.selectFrom('matrix_crypto').selectAll().execute()
  return rows.map(({ place, value }) => ({ place, value: new Uint8Array(value) }))
}

/** Number of records in one statement. */
const recordsAtOnce = 200

/** Writes the records that operations changed; the last change of a record counts. */
export const writeRecords = async (tx: MatrixTransaction, all: readonly RecordChange[]): Promise<void> => {
  const changes = [...new Map(all.map(change => [change.place, change])).values()]
  for (let start = 0; start < changes.length; start += recordsAtOnce) {
    const some = changes.slice(start, start + recordsAtOnce)
    const gone = some.flatMap(({ place, value }) => (value === null ? [place] : []))
    const rows = some.flatMap(({ place, value }) => (value === null ? [] : [{ place, value }]))
    if (gone.length > 0) await tx.deleteFrom('matrix_crypto').where('place', 'in', gone).execute()
    if (rows.length === 0) continue
    await tx
      .insertInto('matrix_crypto')
      .values(rows)
      .onConflict(conflict => conflict.column('place').doUpdateSet(row => ({ value: row.ref('excluded.value') })))
      .execute()
  }
}

/** Stores a new device, and deletes the records of the previous one and what it encrypted. */
export const replaceDevice = async (tx: MatrixTransaction, device: StoredDevice): Promise<void> => {
  await tx.deleteFrom('matrix_crypto').execute()
  await tx.deleteFrom('matrix_sealed').execute()
  await tx.deleteFrom('matrix_ratchets').execute()
  await tx.deleteFrom('matrix_devices').execute()
  await tx.insertInto('matrix_devices').values(device).execute()
}
