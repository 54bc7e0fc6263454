import type { CommandIo } from '../command-io.ts'
import { safeJson } from './clean-text.ts'

/** Writes the one object of a command with `--json` to standard output, on one line. */
export const writeJson = ({ stdout }: CommandIo, value: object): void => {
  stdout.write(`${safeJson(value)}\n`)
}
