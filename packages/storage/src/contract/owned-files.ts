import type { Storage } from './storage.ts'

/** A content outside the database. */
export interface OwnedFile {
  /** Its path in the directory. */
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Contents outside the database that belong to its rows, for backups. */
export interface OwnedFiles {
  readonly directory: string
  /** Lists those that a database names. */
  list(storage: Pick<Storage, 'engine' | 'read'>): AsyncIterable<OwnedFile>
}
