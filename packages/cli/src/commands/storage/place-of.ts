import { resolve } from 'node:path'
import type { CommandIo } from '../../process/command-io.ts'

/** Returns the path of a folder that a user named, or the s3: URL of an object store as it is. */
export const placeOf = (given: string, { cwd }: Pick<CommandIo, 'cwd'>): string =>
  given.startsWith('s3:') ? given.replace(/\/+$/, '') : resolve(cwd, given)
