import { cleanLine } from '../output/clean-text.ts'
import type { ListedViolation } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** An error message for a user. */
export interface Explanation {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  readonly message: string
  readonly remedy: string
  readonly faults?: readonly ListedViolation[]
  readonly exitCode: ExitCode
}

/** Explains why the system denied access to a file; undefined for other errors. */
export const explainSystemError = (error: unknown): Explanation | undefined => {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined
  if (error.syscall === 'uv_cwd') {
    const message = 'The current folder no longer exists.'
    return { code: 'file_unusable', message, remedy: 'Go to an existing folder: cd', exitCode: exitCode.configuration }
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

/** Messages and remedies by system error code. */
const known: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: ['is not accessible for you', 'Grant yourself the permission, or choose another folder.'],
  EDQUOT: ['cannot be written: your disk quota is used up', 'Free disk space, then run the command again.'],
  EEXIST: ['already exists', 'Move it away, then run the command again.'],
  EISDIR: ['is a folder, but a file is expected', 'Move it away, then run the command again.'],
  ENOSPC: ['cannot be written: the disk is full', 'Free disk space, then run the command again.'],
  ENOTDIR: [
    'is not a folder, or has a parent that is not a folder',
    'Move that file away, then run the command again.',
  ],
  EPERM: ['cannot be changed by you', 'Grant yourself the permission, or choose another folder.'],
  EROFS: ['is on a read-only disk', 'Choose another folder.'],
}
