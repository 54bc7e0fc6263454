import { type ProgramFile, programLimits } from './program-messages.ts'

const segment = /^[\p{L}\p{N}_ ()@+-][\p{L}\p{N}_ ()@+.-]*$/u

/** Maximum length of a file's name, in characters. */
export const maxFileName = 120

/**
 * Returns whether a file of a program may have a name: a relative path of letters, digits and `_ - . + @ ( )`, without
 * segments that begin with a dot, so that no name leads outside.
 *
 * @example isFileName('data/points.csv') // true
 */
export const isFileName = (name: string): boolean =>
  name.length <= maxFileName && name.split('/').every(part => segment.test(part) && part.trim() === part)

/** Stores the files of a program in memory. */
export const createProgramFiles = () => {
  const { filesWritten, writtenBytes } = programLimits
  const inputs = new Map<string, string>()
  const outputs = new Map<string, string | Uint8Array>()
  const sizeOf = (content: string | Uint8Array | undefined) => (content === undefined ? 0 : Buffer.byteLength(content))
  let bytes = 0
  return {
    give: (name: string, text: string): void => void inputs.set(name, text),
    names: (): readonly string[] => [...new Set([...inputs.keys(), ...outputs.keys()])],
    read: (name: string): string | Uint8Array | undefined => outputs.get(name) ?? inputs.get(name),
    /** Returns the reason if the file was not written. */
    write: (name: string, content: string | Uint8Array): string | undefined => {
      if (!isFileName(name))
        return 'The name of a file is invalid. Use a relative path of letters, digits and _ - . + @ ( ), at most 120 characters.'
      const before = outputs.get(name)
      if (before === undefined && outputs.size >= filesWritten) return `At most ${filesWritten} files can be written.`
      const grown = bytes - sizeOf(before) + sizeOf(content)
      if (grown > writtenBytes) return `Files can have at most ${writtenBytes / 1_000_000} MB in total.`
      bytes = grown
      outputs.set(name, content)
      return undefined
    },
    written: (): readonly ProgramFile[] => [...outputs].map(([name, content]) => ({ name, content })),
  }
}

/** Files of one program: its input files, and those that it writes, which it can read as well. */
export type ProgramFiles = ReturnType<typeof createProgramFiles>
