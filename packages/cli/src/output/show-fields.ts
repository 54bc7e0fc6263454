import { stripVTControlCharacters as stripped } from 'node:util'
import { asCalled } from '../process/called-as.ts'
import type { CommandIo } from '../process/command-io.ts'
import { displayWidth, wrapWords } from './display-width.ts'
import { stylesFor } from './styles.ts'

export type Field = readonly [name: string, value: string]

/**
 * Writes fields to standard output, one line each with their values in one column; on a narrow terminal each value is
 * below its name.
 */
export const showFields = ({ stdout, env }: CommandIo, given: readonly Field[]): void => {
  const fields = given.map(([name, value]) => [name, asCalled(value, env)] as const)
  const { dim } = stylesFor(stdout, env)
  const width = Math.max(...fields.map(([name]) => displayWidth(name)))
  const { columns = 1_000 } = stdout
  const fits = fields.every(([, value]) => width + 2 + displayWidth(stripped(value)) <= columns)
  for (const [name, value] of fields) {
    const padding = ' '.repeat(width - displayWidth(name) + 2)
    if (fits) stdout.write(`${dim(name)}${padding}${value}\n`)
    else
      stdout.write(
        `${dim(name)}\n${wrapWords(value, columns - 2)
          .map(line => `  ${line}\n`)
          .join('')}`,
      )
  }
}
