import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './run-fault.ts'

/** A disk under a folder: it holds what was synced and no more, and can lose power or fail a sync. */
export interface UnreliableDisk {
  /** The folder of the database. */
  readonly path: string
  /** Variables of each process that writes there. */
  readonly env: Readonly<Record<string, string>>
  /** Makes the next sync of a log fail, and no later one. */
  failNextSync(): void
  /** Leaves of each file what was synced; after the process was killed. */
  cutPower(): void
}

/**
 * Makes one by a library that is loaded before libc (`disk-shim.c`); ends the run with SKIP where none can be built.
 *
 * @param folder for the disk and its tools
 * @param noSyncs syncs do nothing and report success
 */
export const makeUnreliableDisk = (fault: Fault, folder: string, noSyncs: boolean): UnreliableDisk => {
  if (process.platform !== 'linux') fault.skip('Syncs are intercepted on Linux alone.')
  const library = join(folder, 'disk-shim.so')
  const source = join(import.meta.dirname, 'disk-shim.c')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { encoding: 'utf8' })
  if (built.error) fault.skip('Syncs cannot be intercepted here: the C compiler `cc` is not installed.')
  if (built.status !== 0) throw new Error(`disk-shim.c could not be compiled: ${built.stderr}`)
  const [path, image, trigger] = [join(folder, 'disk'), join(folder, 'image'), join(folder, 'fail')]
  for (const made of [path, image]) mkdirSync(made)
  return {
    path,
    env: {
      LD_PRELOAD: library,
      DISK_SHIM_FOLDER: path,
      DISK_SHIM_IMAGE: image,
      DISK_SHIM_FAIL: trigger,
      UV_USE_IO_URING: '0',
      ...(noSyncs ? { DISK_SHIM_NOOP: '1' } : {}),
    },
    failNextSync: () => writeFileSync(trigger, ''),
    cutPower() {
      const files = readdirSync(path, { withFileTypes: true }).filter(entry => entry.isFile())
      for (const { name } of files) {
        const synced = join(image, name)
        rmSync(join(path, name))
        if (existsSync(synced)) copyFileSync(synced, join(path, name))
      }
      for (const name of readdirSync(image)) {
        if (/\.(lost|before|draft)$/.test(name)) rmSync(join(image, name))
      }
    },
  }
}
