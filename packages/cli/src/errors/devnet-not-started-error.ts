import { exitCode } from '../exit-code.ts'
import { CommandError } from './command-error.ts'

/** What keeps a devnet from starting: a devnet that has its data open, a program on its port, or something else. */
export type DevnetObstacle = 'data_in_use' | 'port_taken' | 'other'

/** Something on this computer keeps a devnet from starting: its port, its folder, its data. */
export class DevnetNotStartedError extends CommandError {
  readonly code = 'devnet_not_started'
  readonly exitCode = exitCode.configuration
  readonly obstacle: DevnetObstacle

  constructor(message: string, remedy: string, options: ErrorOptions & { readonly obstacle?: DevnetObstacle } = {}) {
    super(message, remedy, options)
    this.obstacle = options.obstacle ?? 'other'
  }
}
