import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** There can be no new project in that folder: something is there, or the disk does not take it. */
export class FolderNotUsableError extends CommandError {
  readonly code = 'folder_not_usable'
  readonly exitCode = exitCode.configuration
}
