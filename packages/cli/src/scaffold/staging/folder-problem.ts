import { cliErrors } from '../../errors/cli-errors.ts'
import { CommandError } from '../../errors/command-error.ts'

/**
 * Puts what the system says about a folder into words.
 *
 * @param path What could not be used.
 * @returns an error to throw; what is no error of the system comes back as it is
 */
export const folderProblem = (error: unknown, path: string): unknown => {
  if (error instanceof CommandError || !(error instanceof Error && 'code' in error && 'syscall' in error)) return error
  const code = String(error.code)
  const [message, remedy] = words[code]?.(path) ?? [`${path} cannot be used (${code}).`, 'Name another folder.']
  return cliErrors.folder_not_usable(message, remedy, { cause: error })
}

type Words = (path: string) => readonly [message: string, remedy: string]

const noRight: Words = path => [`You may not write to ${path}.`, 'Give yourself the right to, or name another folder.']
const full: Words = path => [`The disk of ${path} is full.`, 'Make some room, and run the command again.']

const taken: Words = path => [`Something came into ${path} meanwhile.`, 'Look at it, and run the command again.']

const words: Readonly<Record<string, Words>> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: path => [`${path} is on a disk that can only be read.`, 'Name another folder.'],
  ENOSPC: full,
  EDQUOT: full,
  ENAMETOOLONG: path => [
    `The path has a name that is too long for this disk: ${path.slice(0, 60)}…`,
    'Name a folder with a shorter name.',
  ],
  EEXIST: taken,
  ENOTEMPTY: taken,
  ENOTDIR: path => [`${path} leads through something that is no folder.`, 'Name another folder.'],
  ELOOP: path => [`${path} is a link that leads to itself.`, 'Name another folder.'],
  EBUSY: path => [`The system holds ${path} in its place, as a disk of its own perhaps.`, 'Name a folder inside it.'],
}
