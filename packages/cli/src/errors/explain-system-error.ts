import { cleanLine } from '../output/clean-text.ts'
import type { ListedFault } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** An error in words for a person. */
export interface Explanation {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  readonly message: string
  readonly remedy: string
  readonly faults?: readonly ListedFault[]
  readonly exitCode: ExitCode
}

/** Puts into words why the system let a command not use a file; undefined where the error is of another kind. */
export const explainSystemError = (error: unknown): Explanation | undefined => {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined
  if (error.syscall === 'uv_cwd') {
    const message = 'The folder that you are in is not there any more.'
    return { code: 'file_unusable', message, remedy: 'Go to one that is: cd', exitCode: exitCode.configuration }
  }
  const words = known[String(error.code)]
  if (!words) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? cleanLine(error.path) : 'A file'
  const [message, remedy] = words
  return {
    code: 'file_unusable',
    message: `${path} ${message} (${error.code}).`,
    remedy,
    exitCode: exitCode.configuration,
  }
}

/** What is wrong with a path, and what to do, by the system's own word. */
const known: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['may not be used by you', 'Give yourself the right to, or choose another folder.'],
  EDQUOT: ['cannot be written: your share of the disk is used up', 'Make room, then run the command again.'],
  EEXIST: ['is there already, and in the way', 'Move it away, then run the command again.'],
  EISDIR: ['is a folder, where a file belongs', 'Move it away, then run the command again.'],
  ENOSPC: ['cannot be written: the disk is full', 'Make room, then run the command again.'],
  ENOTDIR: ['is no folder, or lies in what is none', 'Move what is in the way, then run the command again.'],
  EPERM: ['may not be changed by you', 'Give yourself the right to, or choose another folder.'],
  EROFS: ['is on a disk that can only be read', 'Choose another folder.'],
}
