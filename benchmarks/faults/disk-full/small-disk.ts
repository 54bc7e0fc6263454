import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../frame/run-fault.ts'

/** A disk of a few megabytes that can be filled. */
export interface SmallDisk extends Disposable {
  readonly path: string
  /** Takes all the space that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
}

/** Mounts one in memory; ends the run with SKIP where that is not allowed. */
export const mountSmallDisk = (fault: Fault, path: string, megabytes: number): SmallDisk => {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'sibyl-faults', path], { stdio: 'ignore' })
  } catch {
    fault.skip('No disk can be mounted here: that needs root.')
  }
  const filler = join(path, 'filler')
  const unmount = () => void execFileSync('umount', ['--lazy', path])
  process.once('exit', unmount)
  return {
    path,
    fill() {
      const file = openSync(filler, 'a')
      for (const size of [1_000_000, 4096, 1]) while (writes(file, size));
      closeSync(file)
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      process.off('exit', unmount)
      unmount()
    },
  }
}

const writes = (file: number, size: number): boolean => {
  try {
    return writeSync(file, Buffer.alloc(size)) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
