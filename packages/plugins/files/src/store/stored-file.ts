import { isoTime } from '@sibyl/plugin'
import type { Blob } from '../disk/blob-store.ts'
import type { FileRecord, VersionRecord } from '../records/index.ts'

/** A file of a person. */
export interface FileFacts {
  readonly path: string
  readonly bytes: number
  readonly mediaType: string
  /** Hexadecimal. */
  readonly sha256: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

/** A file of a person, with the location of its content. */
export interface StoredFile extends FileFacts {
  readonly blob: Blob
}

/** State of a file before it was overwritten or deleted. */
export interface StoredVersion extends Omit<StoredFile, 'createdAt' | 'updatedAt'> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly writtenAt: number
  /** Time at which it was overwritten or deleted, in milliseconds since 1970. */
  readonly endedAt: number
  readonly reason: 'replaced' | 'deleted'
}

/** Columns of a file's row. */
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

/** Returns the number in the id of a version; undefined if it is invalid. */
export const versionNumber = (id: string): number | undefined => {
  const number = /^v([1-9]\d{0,14})$/.exec(id)?.[1]
  return number === undefined ? undefined : Number(number)
}

export const recordOf = ({ path, bytes, mediaType, sha256, createdAt, updatedAt }: FileFacts): FileRecord => ({
  path,
  bytes,
  mediaType,
  sha256,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
})

export const versionRecordOf = ({ id, path, bytes, mediaType, sha256, ...rest }: StoredVersion): VersionRecord => ({
  id,
  path,
  bytes,
  mediaType,
  sha256,
  writtenAt: isoTime(rest.writtenAt),
  endedAt: isoTime(rest.endedAt),
  reason: rest.reason,
})

/** Formats a number of bytes, such as '1,204 bytes'. */
export const bytesText = (bytes: number): string => `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
