import { createInterface } from 'node:readline'
import type { CommandIo } from './command-io.ts'

/** Reads the first line of standard input. */
export const readLine = async ({ stdin }: Pick<CommandIo, 'stdin'>): Promise<string> => {
  for await (const line of createInterface({ input: stdin })) return line
  return ''
}
