import type { Host } from '@sibyl/plugin'
import type { Generated } from '@sibyl/plugin/storage'

/** What a file and a version of one have in common. */
interface NamedContent {
  person: number
  /** What no two files of a person share; see `FilePath`. */
  key: string
  path: string
  sha256: string
  bytes: number
  media_type: string
}

export interface FilesTables {
  /** One row: the name of this database's own folder in FILES_DIR. */
  files_store: {
    store: string
    /** On PostgreSQL: the name that marks the folder which all processes share; null before the first one. */
    mark: string | null
  }
  files_people: {
    person: Generated<number>
    did: string
    /** The DID that their files count for. */
    holder: string
    /** The network that they last kept a file from, where addresses share the room. */
    origin: string | null
    /** The name of their folder: a salted hash of the DID, so that it tells nobody whose it is. */
    folder: string
    /** Of all their contents, each counted once. */
    bytes: number
    /** How many files and versions they have. */
    records: number
  }
  /** Contents, each once for a person however many files and versions have it. */
  files_blobs: { person: number; sha256: string; file: string; bytes: number; refs: number }
  files_entries: NamedContent & { entry: Generated<number>; created_at: number; updated_at: number }
  /** What files were before they were overwritten or deleted. */
  files_versions: NamedContent & {
    version: Generated<number>
    written_at: number
    ended_at: number
    end_reason: 'replaced' | 'deleted'
  }
  /** Room that contents under way have: it counts until they are kept, given up, or their time is over. */
  files_arrivals: { arrival: string; person: number; bytes: number; ends_at: number }
  /** The index of words: those of each file's path, and of its text. */
  files_words: { person: number; word: string; entry: number }
}

export type FilesStorage = Host<unknown, FilesTables>['storage']

export type FilesTransaction = Parameters<Parameters<FilesStorage['write']>[0]>[0]
