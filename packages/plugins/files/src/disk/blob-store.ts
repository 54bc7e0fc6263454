import { createHash, randomBytes } from 'node:crypto'

/** A stored content. */
export interface Blob {
  /** Folder of its person: a hash. */
  readonly folder: string
  /** Its name: its SHA-256 and a random part, never reused. */
  readonly file: string
  readonly bytes: number
}

/** A content that was just written. */
export interface NewBlob extends Blob {
  /** Hexadecimal. */
  readonly sha256: string
  /** Its beginning, for the index of words. */
  readonly head: Uint8Array
}

/** A content that is open for reading. */
export interface OpenBlob {
  /** Its pieces; may be read once. */
  readonly content: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** A part of a content, both ends inclusive. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Called with the total size including the next piece, before that piece is written; a rejection aborts the upload. */
export type ReserveSpace = (total: number) => Promise<void>

/** Number of bytes that are returned for the index of words. */
export const headBytes = 262_144

/** Names of contents of a person. */
export interface ContentsOfFolder {
  readonly folder: string
  readonly files: readonly string[]
}

/**
 * The storage of contents: one folder per person, with names that no client chose. Its methods throw `files_storage_failed`,
 * and `keep` also `files_disk_low`.
 */
export interface BlobStore {
  /**
   * Writes a content, and makes it visible once it is durable; a failure leaves nothing. The content counts as in progress until
   * `settle`.
   *
   * @throws the errors of `take`, and those of the source
   */
  keep(folder: string, source: AsyncIterable<Uint8Array>, take: ReserveSpace): Promise<NewBlob>
  /** Marks a content as no longer in progress: its row is committed, or it was given up. */
  settle(folder: string, file: string): void
  /**
   * Opens a content, or a part of it.
   *
   * @returns undefined if it does not exist
   * @throws `files_storage_failed` if its size differs
   */
  open(blob: Blob, range?: ByteRange): Promise<OpenBlob | undefined>
  /** Returns the free bytes; infinite where they are unknown. */
  freeBytes(): Promise<number>
  /** Deletes contents that exist. */
  remove(folder: string, files: readonly string[]): Promise<void>
  /** Deletes all contents of a person. */
  clear(folder: string): Promise<void>
  /** Lists contents, complete or not, that this process is not writing. A folder may be in several results. */
  listAtRest(): AsyncIterable<ContentsOfFolder>
}

/** Name of a person's folder. */
export const folderName = /^[0-9a-f]{64}$/
/** Name of a content, complete or not. */
export const blobName = /^[0-9a-f]{64}\.[0-9a-f]{24}$|^[0-9a-f]{24}\.part$/

/** Returns a new random part of a name. */
export const nameToken = (): string => randomBytes(12).toString('hex')

/** Hashes and counts a content on its way to the store. */
export class ArrivingContent {
  readonly #hash = createHash('sha256')
  readonly #head: Uint8Array[] = []
  bytes = 0

  async *read(source: AsyncIterable<Uint8Array>, take: ReserveSpace): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      const total = this.bytes + chunk.byteLength
      await take(total)
      if (this.bytes < headBytes) this.#head.push(chunk.slice(0, headBytes - this.bytes))
      this.bytes = total
      this.#hash.update(chunk)
      yield chunk
    }
  }

  /** Returns the content under its name. May be called once, after the last piece. */
  named(folder: string): NewBlob {
    const sha256 = this.#hash.digest('hex')
    return { folder, file: `${sha256}.${nameToken()}`, bytes: this.bytes, sha256, head: Buffer.concat(this.#head) }
  }
}

/** Contents that this process is writing and that may have no row yet. */
export class ContentsUnderWay {
  readonly #places = new Set<string>()

  add(folder: string, file: string): void {
    this.#places.add(`${folder}/${file}`)
  }

  remove(folder: string, file: string): void {
    this.#places.delete(`${folder}/${file}`)
  }

  /** Returns the others. */
  without(folder: string, files: readonly string[]): readonly string[] {
    return files.filter(file => !this.#places.has(`${folder}/${file}`))
  }
}
