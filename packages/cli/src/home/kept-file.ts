import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import { replaceFile } from './through-draft.ts'
import { withFileLock } from './with-file-lock.ts'

/** A JSON file of the user, for its owner alone; concurrent commands change it one after the other. */
export class KeptFile<Content> {
  readonly #path: string
  readonly #schema: z.ZodType<Content>
  readonly #empty: Content
  readonly #remedy: string

  /**
   * @param empty The content of a missing file.
   * @param remedy The remedy for a damaged file.
   */
  constructor(path: string, schema: z.ZodType<Content>, empty: Content, remedy: string) {
    this.#path = path
    this.#schema = schema
    this.#empty = empty
    this.#remedy = remedy
  }

  /** Throws `configuration_invalid` when the file is damaged. */
  async read(): Promise<Content> {
    try {
      return this.#schema.parse(JSON.parse(await readFile(this.#path, 'utf8')))
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return this.#empty
      throw cliErrors.configuration_invalid(`The file ${this.#path} is damaged.`, this.#remedy, { cause })
    }
  }

  /**
   * Replaces the content.
   *
   * @returns the content before
   */
  change(next: (content: Content) => Content): Promise<Content> {
    return withFileLock(this.#path, async () => {
      const content = await this.read()
      await replaceFile(this.#path, `${JSON.stringify(next(content), null, 2)}\n`)
      return content
    })
  }
}
