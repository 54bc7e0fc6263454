import { styleText } from 'node:util'

/** Where the tour tells what happens. */
export interface Teller {
  /** The next heading. */
  step(title: string): void
  /** Prose. */
  say(text: string): void
  /** What somebody said or read, under who it was; all of it. */
  speech(who: string, text: string): void
  /** Room between what belongs together. */
  blank(): void
}

const indent = '   '
const nameWidth = 14
const widest = 100
const narrowest = 50

/** Tells on standard output, within the columns of the terminal. `NO_COLOR` is honoured. */
export const terminalTeller = (): Teller => {
  const inColour = process.stdout.isTTY === true && !process.env.NO_COLOR
  const columns = Math.max(narrowest, Math.min(process.stdout.columns ?? widest, widest))
  const paint = (look: 'bold' | 'dim' | 'cyan', text: string) => (inColour ? styleText(look, text) : text)
  let steps = 0
  return {
    step(title) {
      steps += 1
      console.log(`\n${paint('cyan', `${steps}  `)}${paint('bold', title)}`)
    },
    say(text) {
      for (const line of wrap(text, columns - indent.length)) console.log(indent + paint('dim', line))
    },
    speech(who, text) {
      const lines = text.split('\n').flatMap(line => wrap(line, columns - indent.length - nameWidth))
      for (const [index, line] of lines.entries()) {
        console.log(`${indent}${paint('dim', (index === 0 ? who : '').padEnd(nameWidth))}${line}`.trimEnd())
      }
    },
    blank: () => console.log(),
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
