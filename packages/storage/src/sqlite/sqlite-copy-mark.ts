import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { CopyMark } from '../contract/copy-mark.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import { syncFolder } from './sync-folder.ts'

/** A database and how often its mark has advanced. */
interface Mark {
  readonly id: string
  readonly count: number
}

/** The size of the file, so that each write covers the one before. */
const fileBytes = 64

const form = /^([0-9a-f-]{36}) (\d{1,15})$/

const parse = (text: string | undefined): Mark | undefined => {
  const [, id, count] = form.exec(text?.trim() ?? '') ?? []
  return id === undefined ? undefined : { id, count: Number(count) }
}

/**
 * The mark of a SQLite database: a count that is stored in the database and then in a file beside it. A database whose
 * count is behind the file's, or that has no such file, is a restored or a moved one.
 */
export class SqliteCopyMark implements CopyMark {
  readonly #database: string
  readonly #path: string
  #writes = 0
  #seen = 0
  #recorded = 0

  /** @param path the database's path */
  constructor(path: string) {
    this.#database = basename(path)
    this.#path = `${path}.mark`
  }

  /** Counts a write, so that the mark advances only when something has changed. */
  noteWrite(): void {
    this.#writes += 1
  }

  get isDue(): boolean {
    return this.#writes > this.#recorded
  }

  async matches(stored: string): Promise<boolean> {
    this.#seen = this.#writes
    const text = await readFile(this.#path, 'utf8').catch(() => undefined)
    const [kept, beside] = [parse(stored), parse(text)]
    return kept !== undefined && beside !== undefined && beside.id === kept.id && beside.count <= kept.count
  }

  async next(stored: string | undefined): Promise<string> {
    const text = await readFile(this.#path, 'utf8').catch(() => undefined)
    const [kept, beside] = [parse(stored), parse(text)]
    const id = kept?.id ?? randomUUID()
    return `${id} ${Math.max(kept?.count ?? 0, beside?.id === id ? beside.count : 0) + 1}`
  }

  /** Overwrites one sector in place: with a rename, a power cut could leave no file. */
  async record(stored: string): Promise<void> {
    try {
      await this.#overwrite(`${stored}\n`.padEnd(fileBytes, ' '))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
      throw storageErrors.disk_full({ database: this.#database }, { cause: error })
    }
    // The write that stored the mark counted too.
    this.#recorded = this.#seen + 1
  }

  async #overwrite(text: string): Promise<void> {
    const file = await this.#open()
    try {
      await file.write(text, 0)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  async #open(): Promise<FileHandle> {
    try {
      return await open(this.#path, 'r+')
    } catch {
      const made = await open(this.#path, 'w+', 0o600)
      await syncFolder(dirname(this.#path))
      return made
    }
  }
}
