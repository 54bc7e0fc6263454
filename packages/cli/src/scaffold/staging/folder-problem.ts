import { cliErrors } from '../../errors/cli-errors.ts'
import { CommandError } from '../../errors/command-error.ts'

/**
 * Explains a system error about a folder.
 *
 * @param path The path that could not be used.
 * @returns an error to throw; other errors are returned unchanged
 */
export const folderProblem = (error: unknown, path: string): unknown => {
  if (error instanceof CommandError || !(error instanceof Error && 'code' in error && 'syscall' in error)) return error
  const code = String(error.code)
  const [message, remedy] = words[code]?.(path) ?? [`${path} cannot be used (${code}).`, 'Choose another folder.']
  return cliErrors.folder_not_usable(message, remedy, { cause: error })
}

type Words = (path: string) => readonly [message: string, remedy: string]

const noRight: Words = path => [
  `${path} is not writable.`,
  'Grant yourself write permission, or choose another folder.',
]
const full: Words = path => [`The disk of ${path} is full.`, 'Free disk space, and run the command again.']

const taken: Words = path => [
  `Another program wrote to ${path} at the same time.`,
  'Check it, and run the command again.',
]

const words: Readonly<Record<string, Words>> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: path => [`${path} is on a read-only disk.`, 'Choose another folder.'],
  ENOSPC: full,
  EDQUOT: full,
  ENAMETOOLONG: path => [
    `The path has a name that is too long for this disk: ${path.slice(0, 60)}…`,
    'Choose a folder with a shorter name.',
  ],
  EEXIST: taken,
  ENOTEMPTY: taken,
  ENOTDIR: path => [`${path} has a parent that is not a folder.`, 'Choose another folder.'],
  ELOOP: path => [`${path} is a link to itself.`, 'Choose another folder.'],
  EBUSY: path => [
    `The system does not allow ${path} to be moved; it may be a mount point.`,
    'Choose a folder inside it.',
  ],
}
