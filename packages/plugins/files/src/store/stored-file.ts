import type { Blob } from '../disk/blob-disk.ts'

/** A file of a person. */
export interface FileFacts {
  readonly path: string
  readonly bytes: number
  readonly mediaType: string
  /** In hexadecimal. */
  readonly sha256: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

/** A file of a person, with the place of its content. */
export interface StoredFile extends FileFacts {
  readonly blob: Blob
}

/** What a file was before it was overwritten or deleted. */
export interface StoredVersion extends Omit<StoredFile, 'createdAt' | 'updatedAt'> {
  readonly id: string
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number
  /** When it was overwritten or deleted, in milliseconds since 1970. */
  readonly endedAt: number
  readonly reason: 'replaced' | 'deleted'
}

/** What of rows a file is read from. */
interface ContentRow {
  readonly path: string
  readonly bytes: number
  readonly media_type: string
  readonly sha256: string
  readonly folder: string
  readonly file: string
}

const contentOf = ({ path, bytes, media_type, sha256, folder, file }: ContentRow) => ({
  path,
  bytes,
  mediaType: media_type,
  sha256,
  blob: { folder, file, bytes },
})

export const fileOfRow = (
  row: ContentRow & { readonly created_at: number; readonly updated_at: number },
): StoredFile => ({ ...contentOf(row), createdAt: row.created_at, updatedAt: row.updated_at })

export const versionOfRow = (
  row: ContentRow & {
    readonly version: number
    readonly written_at: number
    readonly ended_at: number
    readonly end_reason: 'replaced' | 'deleted'
  },
): StoredVersion => ({
  id: `v${row.version}`,
  ...contentOf(row),
  writtenAt: row.written_at,
  endedAt: row.ended_at,
  reason: row.end_reason,
})

/** The number in the id of a version; undefined where it is none. */
export const versionNumber = (id: string): number | undefined => {
  const number = /^v([1-9]\d{0,14})$/.exec(id)?.[1]
  return number === undefined ? undefined : Number(number)
}
