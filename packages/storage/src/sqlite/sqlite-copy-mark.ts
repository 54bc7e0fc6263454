import { randomUUID } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import type { CopyMark } from '../restores/copy-mark.ts'

/** A database and how often its mark has advanced. */
interface Mark {
  readonly id: string
  readonly count: number
}

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
  readonly #path: string
  #writes = 0
  #seen = 0
  #recorded = 0

  /** @param path the database's path */
  constructor(path: string) {
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

  async record(stored: string): Promise<void> {
    const temporary = `${this.#path}.new`
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(`${stored}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, this.#path)
    // The write that stored the mark counted too.
    this.#recorded = this.#seen + 1
  }
}
