import { styleText } from 'node:util'

/** The output of the tour. */
export interface Narrator {
  /** The next heading. */
  step(title: string): void
  /** Prose. */
  print(text: string): void
  /** A line under its label; what does not fit is cut. */
  line(label: string, text: string): void
  /** Room between what belongs together. */
  blank(): void
  /** Prints a complete message. */
  speech(who: string, text: string): void
}

/** The layout of a tour. Widths are columns. */
export interface NarratorStyle {
  /** No line is wider, however wide the terminal is. */
  readonly widest: number
  /** Lines are not made narrower than this. */
  readonly narrowest: number
  /** Room for who speaks. */
  readonly nameWidth: number
  readonly speech: 'bold' | 'plain'
}

const indent = '   '
const labelWidth = 20
const usual: NarratorStyle = { widest: 88, narrowest: 40, nameWidth: 8, speech: 'bold' }

/** Prints to standard output, within the columns of the terminal. Supports `NO_COLOR`. */
export const terminalTeller = ({ widest, narrowest, nameWidth, speech: voice } = usual): Narrator => {
  const inColour = process.stdout.isTTY === true && !process.env.NO_COLOR
  const columns = Math.max(narrowest, Math.min(process.stdout.columns ?? widest, widest))
  const paint = (style: 'bold' | 'dim' | 'cyan', text: string) => (inColour ? styleText(style, text) : text)
  let steps = 0

  return {
    step(title) {
      steps += 1
      console.log(`\n${paint('cyan', `${steps}  `)}${paint('bold', title)}`)
    },
    print(text) {
      for (const line of wrap(text, columns - indent.length)) console.log(indent + paint('dim', line))
    },
    line(label, text) {
      const room = columns - indent.length - labelWidth - 1
      const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text
      console.log(`${indent}${paint('dim', label.padEnd(labelWidth))} ${shown}`.trimEnd())
    },
    blank: () => console.log(),
    speech(who, text) {
      const lines = text.split('\n').flatMap(line => wrap(line, columns - indent.length - nameWidth))
      for (const [index, line] of lines.entries()) {
        const name = paint('dim', (index === 0 ? who : '').padEnd(nameWidth))
        console.log(`${indent}${name}${voice === 'bold' ? paint('bold', line) : line}`.trimEnd())
      }
    },
  }
}

/** Fills lines with words; one that is wider than a line is broken inside. */
const wrap = (text: string, width: number): string[] => {
  const lines = ['']
  for (const word of text.split(' ').flatMap(long => long.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [''])) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
