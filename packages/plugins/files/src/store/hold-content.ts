import { sql } from '@sibyl/plugin/storage'
import { filesErrors } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import type { BlobStore, NewBlob } from '../disk/blob-store.ts'
import type { FilesPerson } from './people.ts'

/** A content of a person that a file or version will reference. */
export interface ContentToHold {
  readonly person: number
  readonly sha256: string
  readonly bytes: number
  /** Its name on the disk, if it was just written; undefined for a stored one. */
  readonly file?: string
  /** True if it replaces the content with that hash, because the one on the disk is corrupt. */
  readonly heals?: boolean
}

/** A change of the contents of a person. */
export interface Freed {
  /** An unused content on the disk. */
  readonly file?: string | undefined
  /** The bytes that it frees; negative for those that are added. */
  readonly bytes: number
}

/** Returns the bytes that changes add, for `countStored`. */
export const addedBytes = (changes: readonly Freed[]): number => -changes.reduce((sum, { bytes }) => sum + bytes, 0)

/** Removes one reference to a content; the last one frees it. */
export const releaseContent = async (
  tx: FilesTransaction,
  person: number,
  sha256: string,
): Promise<readonly Freed[]> => {
  const blob = await tx
    .updateTable('files_blobs')
    .set({ refs: sql<number>`refs - 1` })
    .where(eb => eb.and({ person, sha256 }))
    .returning(['refs', 'bytes', 'file'])
    .executeTakeFirst()
  if (!blob || blob.refs > 0) return []
  await tx.deleteFrom('files_blobs').where('person', '=', person).where('sha256', '=', sha256).execute()
  return [blob]
}

/** Removes a reference to each of several contents. */
export const releaseContents = async (
  tx: FilesTransaction,
  person: number,
  contents: readonly { readonly sha256: string }[],
): Promise<readonly Freed[]> => {
  const freed: Freed[] = []
  for (const { sha256 } of contents) freed.push(...(await releaseContent(tx, person, sha256)))
  return freed
}

/**
 * Adds a reference to a content: to the stored one, or to the one that was just written.
 *
 * @throws `file_version_not_found` if it does not exist
 */
export const holdContent = async (
  tx: FilesTransaction,
  { person, sha256, bytes, file, heals }: ContentToHold,
): Promise<Freed> => {
  const known = await tx
    .updateTable('files_blobs')
    .set({ refs: sql<number>`refs + 1` })
    .where(eb => eb.and({ person, sha256 }))
    .returning('file')
    .executeTakeFirst()
  if (known) {
    if (!heals || file === undefined) return { file, bytes: 0 }
    await tx
      .updateTable('files_blobs')
      .set({ file })
      .where(eb => eb.and({ person, sha256 }))
      .execute()
    return { ...known, bytes: 0 }
  }
  if (file === undefined) throw filesErrors.file_version_not_found()
  await tx.insertInto('files_blobs').values({ person, sha256, file, bytes, refs: 1 }).execute()
  return { bytes: -bytes }
}

/** Returns whether the stored content of a hash cannot be read, so that the new one replaces it. */
export const isBroken = async (
  { storage, disk }: { readonly storage: FilesStorage; readonly disk: BlobStore },
  { person, folder }: FilesPerson,
  { sha256, bytes }: NewBlob,
): Promise<boolean> => {
  const known = await storage.read
    .selectFrom('files_blobs')
    .select('file')
    .where(eb => eb.and({ person, sha256 }))
    .executeTakeFirst()
  if (!known) return false
  const opened = await disk.open({ folder, file: known.file, bytes }).catch(() => undefined)
  await opened?.close()
  return opened === undefined
}
