import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { DatabaseSnapshot } from '../contract/database-snapshot.ts'
import { storageErrors } from '../errors/storage-errors.ts'
import type { ObjectLocation } from '../objects/object-location.ts'
import { type ListedObject, type ObjectStore, openObjectStore } from '../objects/object-store.ts'
import { sql } from '../sql/kysely.ts'
import { ProcessLock } from '../sqlite/process-lock.ts'
import { syncFolder } from '../sqlite/sync-folder.ts'
import { folderError, nameForm, refuseBackup } from './backup-manifest.ts'
import { type ContentPlace, folderPlace, objectPlace } from './content-place.ts'

/** Where backups are. */
export interface BackupLocation {
  /** A folder, or the s3: URL of `objects`. */
  readonly folder: string
  /** A folder in an object store, instead of that of the file system. */
  readonly objects?: ObjectLocation | undefined
}

/** The backups in a folder or an object store. Paths in it have slashes. */
export interface BackupPlace extends ContentPlace {
  /** Its name for users. */
  readonly where: string
  /** The folder in the file system. */
  readonly directory?: string
  /** Names of complete and incomplete backups, the newest first. */
  names(): Promise<readonly string[]>
  /** Lists what is below a folder. @param folder ends with a slash */
  list(folder: string): AsyncIterable<ListedObject>
  remove(paths: readonly string[]): Promise<void>
  /**
   * Opens it for a backup; what an interrupted one left is removed.
   *
   * @param lock a path on this machine, for an object store, which has no locks
   * @throws `backup_refused` if another process writes to it, or it cannot be written
   */
  begin(name: string, source: DatabaseSnapshot, lock: string): Promise<NewBackup>
}

/** A backup that is not complete. */
export interface NewBackup {
  /** The path of its files. */
  readonly part: string
  /** Makes it visible under its name, after its manifest is written. */
  publish(): Promise<void>
  /** Removes what is not complete. */
  close(): Promise<void>
}

/** Opens the place of backups; reads and writes nothing yet. */
export const openBackupPlace = async ({ folder, objects }: BackupLocation): Promise<BackupPlace> =>
  objects === undefined ? folderBackups(folder) : objectBackups(await openObjectStore(objects), folder)

const newestFirst = (names: Iterable<string>): readonly string[] =>
  [...names]
    .filter(name => nameForm.test(name))
    .sort()
    .reverse()

const folderBackups = (folder: string): BackupPlace => ({
  ...folderPlace(folder),
  where: folder,
  directory: folder,
  async names() {
    const names = await readdir(folder).catch(error => {
      if (error.code !== 'ENOENT') throw folderError(error, folder)
      return refuseBackup(`The folder ${folder} does not exist.`, 'Name the folder of `sibyl backup`.')
    })
    return newestFirst(names)
  },
  async *list(under) {
    const entries = await readdir(join(folder, under), { withFileTypes: true, recursive: true })
    for (const entry of entries) {
      if (entry.isDirectory()) continue
      const path = join(entry.parentPath, entry.name)
      yield { key: relative(folder, path), bytes: (await stat(path)).size }
    }
  },
  async remove(paths) {
    for (const path of paths) await rm(join(folder, path))
  },
  async begin(name) {
    const part = join(folder, '.part')
    await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
    const lock = lockAt(join(folder, 'backup'), folder)
    const clean = () => rm(part, { recursive: true, force: true })
    try {
      await clean()
      await mkdir(part, { mode: 0o700 })
      await mkdir(join(part, name), { mode: 0o700 })
    } catch (error) {
      lock.release()
      throw error
    }
    return {
      part: `.part/${name}`,
      async publish() {
        await syncFolder(join(part, name))
        await rename(join(part, name), join(folder, name))
        await syncFolder(folder)
      },
      close: () => clean().finally(() => lock.release()),
    }
  },
})

/** A backup is complete with its manifest, which is written last. */
const objectBackups = (store: ObjectStore, where: string): BackupPlace => {
  const keysOf = async (under: string) => {
    const keys: string[] = []
    for await (const page of store.list(under)) keys.push(...page.map(({ key }) => key))
    return keys
  }
  // All names of this millennium begin with it, and no other folder: contents are not listed.
  const backups = async () => Map.groupBy(await keysOf('2'), key => key.split('/')[0] ?? '')
  const removeIncomplete = async () => {
    for (const [name, keys] of await backups())
      if (nameForm.test(name) && !keys.includes(`${name}/manifest.json`)) await store.remove(keys)
    for (const under of ['2', 'files/'])
      for await (const keys of store.listUploads(under)) for (const key of keys) await store.abortUploads(key)
  }
  return {
    ...objectPlace(store, path => path),
    where,
    names: async () => newestFirst((await backups()).keys()),
    async *list(under) {
      for await (const page of store.list(under)) yield* page
    },
    remove: paths => store.remove(paths),
    async begin(name, source, path) {
      const lock = lockAt(path, where)
      try {
        if (source.engine === 'postgres') await lockDatabase(source, where)
        await removeIncomplete()
      } catch (error) {
        lock.release()
        throw error
      }
      let isComplete = false
      return {
        part: name,
        async publish() {
          isComplete = true
        },
        async close() {
          // The next run removes what stays of it.
          if (!isComplete) await removeIncomplete().catch(() => {})
          lock.release()
        },
      }
    },
  }
}

const lockAt = (path: string, where: string): ProcessLock => {
  try {
    return new ProcessLock(path, where)
  } catch (error) {
    if (storageErrors.database_in_use.is(error)) return refuseSecond(where)
    if (storageErrors.database_read_only.is(error)) throw folderError({ code: 'EACCES' }, where)
    throw error
  }
}

/** An advisory lock of the schema for the time of the snapshot, against other machines: 'back' in ASCII. */
const lockDatabase = async ({ read }: DatabaseSnapshot, where: string): Promise<void> => {
  const lock = sql<{
    locked: boolean
  }>`select pg_try_advisory_xact_lock(1650549611, hashtext(current_schema())) as locked`
  const { rows } = await lock.execute(read)
  if (!rows[0]?.locked) refuseSecond(where)
}

const refuseSecond = (where: string): never =>
  refuseBackup(`Another backup writes to ${where}.`, 'Wait until it is done.')
