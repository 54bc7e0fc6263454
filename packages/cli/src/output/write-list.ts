import type { CommandIo } from '../process/command-io.ts'
import { cleanLine } from './clean-text.ts'

/** An entry of a list: a line, and its facts by name below it. */
export interface ListEntry {
  readonly title: string
  readonly facts: Readonly<Record<string, string>>
}

/** Writes a list for people; `none` goes to stderr if it is empty. */
export const writeList = (io: CommandIo, entries: readonly ListEntry[], none: string): void => {
  for (const { title, facts } of entries) {
    const lines = Object.entries(facts).map(([name, fact]) => `  ${name.padEnd(9)}${cleanLine(fact)}`)
    io.stdout.write(`${[cleanLine(title), ...lines].join('\n')}\n`)
  }
  if (entries.length === 0) io.stderr.write(`${none}\n`)
}
