import { stripVTControlCharacters, styleText } from 'node:util'
import { drawScreen } from '@sibyl/cli'

/** The output of the demo: standard output, or a replacement. */
export interface NarratorOutput {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

type Style = Parameters<typeof styleText>[0]

const indent = '   '
/** Lines of prose are no wider than this, however wide the terminal is. */
const widestProse = 88
const narrowest = 24
/** With less room than this a detail gets a line of its own. */
const leastDetail = 24
/** The width for outputs that are not a terminal, such as a file. */
const widestElsewhere = 100

/** Prints the tour: numbered headings, prose, and lines of facts that fit the terminal. */
export class Narrator {
  readonly #output: NarratorOutput
  readonly #colour: boolean
  #steps = 0

  constructor(output: NarratorOutput, colour: boolean) {
    this.#output = output
    this.#colour = colour
  }

  /** The columns that a line may fill. */
  get #columns(): number {
    const { isTTY, columns } = this.#output
    return isTTY && columns ? Math.max(columns, narrowest) : widestElsewhere
  }

  /** Begins the next step. */
  step(title: string): void {
    this.#steps += 1
    this.blank()
    this.#line(this.#paint('cyan', `${this.#steps}  `) + this.#paint('bold', title))
  }

  /** A first or last line: words in bold, then what goes with them. */
  headline(words: string, rest = ''): void {
    const [first = '', ...more] = wrap(`${words} ${rest}`.split(' '), Math.min(this.#columns, widestProse))
    this.#line(this.#paint('bold', first.slice(0, words.length)) + this.#paint('dim', first.slice(words.length)))
    for (const line of more) this.#line(this.#paint('dim', line))
  }

  /** Prose. */
  print(text: string): void {
    for (const line of wrap(text.split(' '), Math.min(this.#columns, widestProse) - indent.length)) {
      this.#line(indent + this.#paint('dim', line))
    }
  }

  /** Prints a request: `GET /health`. */
  request(text: string): void {
    this.#hanging(`${indent}→ `, text.split(' '))
  }

  /** Prints a response, in parts that stay together if a line has space for them. */
  reply(status: number, parts: readonly string[]): void {
    this.#hanging(`${indent}← ${this.#paint(status < 400 ? 'green' : 'yellow', String(status))}  `, parts)
  }

  /** A fact under its label on one line, or on two where the terminal is narrow; what does not fit is cut. */
  fact(label: string, name: string, detail: string): void {
    const head = `${indent}${this.#paint('dim', label)}  ${name}`
    const room = this.#columns - widthOf(head) - 2
    if (room >= Math.min(detail.length, leastDetail)) {
      this.#line(`${head}  ${this.#paint('dim', cut(detail, room))}`.trimEnd())
    } else {
      this.#line(head.trimEnd())
      const inner = ' '.repeat(indent.length + label.length + 2)
      this.#line(inner + this.#paint('dim', cut(detail, this.#columns - inner.length)))
    }
  }

  /** Words under their label, all of them. */
  speech(label: string, name: string, words: string): void {
    this.#hanging(`${indent}${this.#paint('dim', label)}  ${name}  `, words.split(' '), 'bold')
  }

  /** Something that stands out. */
  mark(text: string, style: Style): void {
    for (const line of wrap(text.split(' '), this.#columns - indent.length))
      this.#line(indent + this.#paint(style, line))
  }

  /** A phone's screen. */
  phone(text: string): void {
    const styles = { dim: (it: string) => this.#paint('dim', it), error: (it: string) => this.#paint('red', it) }
    for (const line of drawScreen(text, this.#columns - indent.length, styles)) this.#line(indent + line)
  }

  blank(): void {
    this.#line('')
  }

  #hanging(head: string, words: readonly string[], style?: Style): void {
    const paint = (text: string) => (style ? this.#paint(style, text) : text)
    const [first = '', ...more] = wrap(words, this.#columns - widthOf(head))
    this.#line(head + paint(first))
    for (const line of more) this.#line(' '.repeat(widthOf(head)) + paint(line))
  }

  #line(text: string): void {
    this.#output.write(`${text}\n`)
  }

  #paint(style: Style, text: string): string {
    return this.#colour && text !== '' ? styleText(style, text, { validateStream: false }) : text
  }
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Fills lines with words; one that is wider than a line is broken inside. */
const wrap = (words: readonly string[], width: number): string[] => {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push('')
    else if (line !== '') lines[lines.length - 1] += ' '
    let rest = word
    while (rest.length > width) {
      lines[lines.length - 1] += rest.slice(0, width)
      rest = rest.slice(width)
      lines.push('')
    }
    lines[lines.length - 1] += rest
  }
  return lines
}
