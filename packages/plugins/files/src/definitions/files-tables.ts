import type { Host } from '@sibyl/plugin'
import type { Generated } from '@sibyl/plugin/storage'

/** Common columns of files and versions. */
interface NamedContent {
  person: number
  /** Key that is unique among the files of a person; see `FilePath`. */
  key: string
  path: string
  sha256: string
  bytes: number
  media_type: string
}

export interface FilesTables {
  /** One row: the name of this database's subfolder in FILES_DIR. */
  files_store: {
    store: string
    /** On PostgreSQL: name of the mark in the folder that all processes share; null before the first one. */
    mark: string | null
  }
  files_people: {
    person: Generated<number>
    did: string
    /** DID whose quota the files count toward. */
    holder: string
    /** Network of the last stored file, for limits by address. */
    origin: string | null
    /** Name of their folder: a salted hash of the DID, so that it does not reveal the person. */
    folder: string
    /** Size of all their contents, each counted once. */
    bytes: number
    /** Number of their files and versions. */
    records: number
  }
  /** Contents, each stored once per person, regardless of the number of files and versions with it. */
  files_blobs: { person: number; sha256: string; file: string; bytes: number; refs: number }
  files_entries: NamedContent & { entry: Generated<number>; created_at: number; updated_at: number }
  /** States of files before they were overwritten or deleted. */
  files_versions: NamedContent & {
    version: Generated<number>
    written_at: number
    ended_at: number
    end_reason: 'replaced' | 'deleted'
  }
  /** Reservations of space for uploads in progress, until they are stored, aborted or expired. */
  files_arrivals: { arrival: string; person: number; bytes: number; ends_at: number }
  /** The index of words: from each file's path and text. */
  files_words: { person: number; word: string; entry: number }
}

export type FilesStorage = Host<unknown, FilesTables>['storage']

export type FilesTransaction = Parameters<Parameters<FilesStorage['write']>[0]>[0]
