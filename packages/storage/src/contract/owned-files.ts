import type { ObjectLocation } from '../objects/object-location.ts'
import type { Storage } from './storage.ts'

/** A content outside the database. */
export interface OwnedFile {
  /** Its path in the directory or the object store. */
  readonly path: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Where contents are. */
export interface ContentsLocation {
  readonly directory: string
  /** The object store with them, instead of the directory. */
  readonly objects?: ObjectLocation | undefined
}

/** Contents outside the database that belong to its rows, for backups. */
export interface OwnedFiles extends ContentsLocation {
  /** Lists those that a database names. */
  list(storage: Pick<Storage, 'engine' | 'read'>): AsyncIterable<OwnedFile>
}
