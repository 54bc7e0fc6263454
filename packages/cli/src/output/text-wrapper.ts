import { cleanText } from './clean-text.ts'
import { displayWidth } from './display-width.ts'

const maxBlankLines = 1

/**
 * Prints text that arrives in pieces: cleaned, wrapped between words, with indented lines. A word is buffered until it
 * ends, and white space until more text follows.
 */
export class TextWrapper {
  readonly #write: (text: string) => void
  readonly #indent: string
  readonly #columns: number
  #column = 0
  #lineFeeds = 0
  #spaces = 0
  #word = ''
  #wordWidth = 0
  #halfCharacter = ''
  #began = false

  /** @param columns The columns right of the indent; infinite without wrapping. */
  constructor(write: (text: string) => void, indent: string, columns: number) {
    this.#write = write
    this.#indent = indent
    this.#columns = columns
  }

  push(piece: string): void {
    const whole = this.#halfCharacter + piece
    const cutsPair = /[\ud800-\udbff]$/.test(whole)
    this.#halfCharacter = cutsPair ? whole.slice(-1) : ''
    for (const character of cleanText(cutsPair ? whole.slice(0, -1) : whole)) this.#add(character)
    if (this.#columns === Number.POSITIVE_INFINITY) this.flush()
  }

  /** Prints the buffered word. */
  flush(): void {
    if (this.#word === '') return
    if (this.#lineFeeds > 0 && this.#began) this.#breakLine(Math.min(this.#lineFeeds, maxBlankLines + 1))
    if (this.#column > 0 && this.#column + this.#spaces + this.#wordWidth > this.#columns) {
      this.#breakLine(1)
      this.#spaces = 0
    }
    this.#write(' '.repeat(Math.min(this.#spaces, 40)) + this.#word)
    this.#column += this.#spaces + this.#wordWidth
    this.#began = true
    this.#lineFeeds = 0
    this.#spaces = 0
    this.#word = ''
    this.#wordWidth = 0
  }

  /** Continues at the start of a line that another writer began, with the indent already written. */
  restart(): void {
    this.flush()
    this.#column = 0
    this.#lineFeeds = 0
    this.#began = false
  }

  #add(character: string): void {
    if (character === '\n') {
      this.flush()
      this.#lineFeeds += 1
      this.#spaces = 0
      return
    }
    if (character === ' ' || character === '\t') {
      this.flush()
      this.#spaces += character === '\t' ? 2 : 1
      return
    }
    // The mark that turns a narrow character into an emoji adds a column.
    const width = character === '\ufe0f' ? 1 : displayWidth(character)
    if (width === 2 || this.#wordWidth + width > this.#columns) this.flush()
    this.#word += character
    this.#wordWidth += width
  }

  #breakLine(count: number): void {
    this.#write('\n'.repeat(count) + this.#indent)
    this.#column = 0
  }
}

/** Breaks a line into lines of a maximum width, between words if possible, otherwise inside a word. */
export const wrapLine = (line: string, columns: number): string[] => {
  let wrapped = ''
  const wrapper = new TextWrapper(
    text => {
      wrapped += text
    },
    '',
    columns,
  )
  wrapper.push(line)
  wrapper.flush()
  return wrapped.split('\n')
}
