import type { CountedActor } from './counted-actor.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** A file of a person. */
export interface PersonFile {
  /** Relative to the person's folder: `reports/2026-W47.md`. */
  readonly path: string
  /** Its size. */
  readonly bytes: number
  readonly mediaType: string
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string
  /** ISO 8601. */
  readonly updatedAt: string
}

/** A file to keep. */
export interface FileToKeep {
  /** The owner. */
  readonly did: string
  /** The actor for limits. @default the person themselves */
  readonly actor?: CountedActor
  readonly path: string
  readonly content: Uint8Array | string
  /** @default by the path's ending */
  readonly mediaType?: string
  /**
   * The behavior if the path exists: `refuse` fails, `replace` keeps the old file as a version, `rename` takes the next
   * free name, `report (2).md`, unless the existing file has the same content.
   */
  readonly onTaken: 'refuse' | 'replace' | 'rename'
}

/** The text of a file, as far as it was read. */
export interface FileText {
  readonly text: string
  /** The number of pages of a PDF. */
  readonly pages?: number
  /** Whether there is more of it. */
  readonly isTruncated: boolean
}

/** Keeps files of people, by DID. */
export interface PersonFiles {
  /** Those of a person, in a folder where one is named, the latest first; at most 1,000. */
  list(did: string, options?: { readonly under?: string }): Promise<readonly PersonFile[]>
  /** Returns a file with its content; undefined if it does not exist. Rejects invalid paths. */
  read(did: string, path: string): Promise<{ readonly file: PersonFile; readonly content: Uint8Array } | undefined>
  /**
   * Stores a file; resolves once it is on disk.
   *
   * @throws ToolFailure with a text for users: the path is invalid or in use, the quota is reached, the file is too
   * large.
   */
  write(file: FileToKeep): Promise<PersonFile>
  /**
   * Reads the text of a PDF, off the event loop and within limits of time, memory and pages; its scripts are never run.
   *
   * @returns undefined for an unknown file
   * @throws ToolFailure with a text for people: it is not a PDF, it is locked or broken, or it takes too much to read
   */
  readPdf(did: string, path: string, signal?: AbortSignal): Promise<FileText | undefined>
  /** Signed addresses at this oracle, without the host, where anyone may read files of these paths for some minutes. */
  linksTo(did: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the address at which the owner reads the file with that path, without the host. Throws for an invalid path. */
  urlOf(path: string): string
  /** The file that such an address names, with or without a host; undefined where it names none. Nothing is fetched. */
  findByUrl(did: string, url: string): Promise<PersonFile | undefined>
}

/**
 * The abilities to read and to write files of the caller, here and in the attachments of messages: one of each list.
 */
export const personFilesAbilities = {
  read: ['files/read', 'chat/personal'],
  write: ['files/write', 'chat/personal'],
} as const

/** The service of the plugin that keeps files; core gives it the attachments of chat messages. */
export const personFiles: ServiceToken<PersonFiles> = serviceToken('person-files')
