import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import type { CommandIo } from '../process/command-io.ts'

/** Returns the name of an input in errors. */
export const inputName = (path: string): string => (path === '-' ? 'standard input' : path)

/**
 * Reads a file, or with `-` standard input.
 *
 * @param name Of the input in errors. @default the path
 * @throws `usage_invalid` when it cannot be read, or has more than `maxBytes`
 */
export const readInput = async (
  path: string,
  { cwd, stdin }: Pick<CommandIo, 'cwd' | 'stdin'>,
  { maxBytes, name = inputName(path) }: { readonly maxBytes: number; readonly name?: string },
): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of path === '-' ? stdin : createReadStream(resolve(cwd, path))) {
      chunks.push(Buffer.from(chunk))
      length += Buffer.byteLength(chunk)
      if (length > maxBytes) break
    }
  } catch (cause) {
    const message = `${name} cannot be read (${codeOf(cause) ?? 'unknown reason'}).`
    throw cliErrors.usage_invalid(message, 'Check the path and its permissions, or pass - for stdin.', { cause })
  }
  if (length <= maxBytes) return Buffer.concat(chunks)
  throw cliErrors.usage_invalid(`${name} has more than ${maxBytes} bytes.`, 'Reduce it.')
}
