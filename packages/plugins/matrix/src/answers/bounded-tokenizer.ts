import { Tokenizer, type Tokens } from 'marked'

/** How deep marks may stand in each other, how many marks of a kind that is costly to read, and cells of a table. */
const most = { depth: 12, marks: 300, cells: 500 }

/** A text has more marks than are read. */
export class TooManyMarks extends Error {}

/**
 * Reads Markdown in bounded time, whoever wrote it: what is nested deeper, and tables that are larger, stand as they are.
 *
 * @throws TooManyMarks Where a text has more of them than any that is meant to be read.
 */
export class BoundedTokenizer extends Tokenizer {
  #depth = 0
  #marks = 0

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#inside(() => super.blockquote(src))
  }

  override list(src: string): Tokens.List | undefined {
    return this.#inside(() => super.list(src))
  }

  override table(src: string): Tokens.Table | undefined {
    const [head = ''] = src.split('\n', 1)
    const rows = src.split(/\n[ \t]*\n/, 1)[0]?.split('\n').length ?? 0
    return head.split('|').length * rows > most.cells ? undefined : super.table(src)
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return /^[*_]/.test(src) ? this.#counted(() => super.emStrong(src, masked, before)) : undefined
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return src.startsWith('~') ? this.#counted(() => super.del(src, masked, before)) : undefined
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return /^!?\[/.test(src) ? this.#counted(() => super.link(src)) : undefined
  }

  override url(src: string): Tokens.Link | undefined {
    return /^(?:https?:\/\/|www\.)/i.test(src) ? this.#counted(() => super.url(src)) : undefined
  }

  #counted<Token>(read: () => Token | undefined): Token | undefined {
    this.#marks += 1
    if (this.#marks > most.marks) throw new TooManyMarks()
    return this.#inside(read)
  }

  #inside<Token>(read: () => Token | undefined): Token | undefined {
    if (this.#depth >= most.depth) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}
