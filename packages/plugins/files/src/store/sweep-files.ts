import { every, type Host, type StoredSpace } from '@sibyl/plugin'
import { z } from 'zod'
import type { FilesLimits } from '../definitions/files-env.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import type { BlobStore } from '../disk/blob-store.ts'
import { addedBytes, releaseContents } from './hold-content.ts'
import { countRecords, onePersonAtATime } from './people.ts'
import { endExpiredReservations } from './upload-reservation.ts'

/**
 * Time after which a content without a row is an orphan rather than an upload in progress, in milliseconds: longer than
 * a request may take.
 */
export const orphanMs = 4_200_000

/** Location of a content on the disk. */
export interface DiskPlace {
  readonly folder: string
  readonly file: string
}

/**
 * Records since when contents without a row have been seen, by the monotonic clock of this process, which is
 * independent of the clocks of the computer and the disk.
 */
export class OrphanWatch {
  readonly #elapsed: () => number
  #since: ReadonlyMap<string, number> = new Map()

  /** @param elapsed Milliseconds of a monotonic clock. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed
  }

  /** Returns the contents without a row that have been seen long enough to be orphans. */
  abandoned(seen: readonly DiskPlace[]): readonly DiskPlace[] {
    const now = this.#elapsed()
    const key = ({ folder, file }: DiskPlace) => `${folder}/${file}`
    this.#since = new Map(seen.map(one => [key(one), this.#since.get(key(one)) ?? now]))
    return seen.filter(one => now - (this.#since.get(key(one)) ?? now) >= orphanMs)
  }
}

const clearKind = 'files/clear'

/** Maximum number of versions that one transaction ends. */
const maxAtOnce = 200

export interface SweepDependencies {
  readonly storage: FilesStorage
  readonly disk: BlobStore
  readonly limits: Pick<FilesLimits, 'versionMs'>
  readonly jobs: Host['jobs']
  readonly clock: Host['clock']
  readonly log: Host['log']
  readonly orphans: OrphanWatch
  readonly space: StoredSpace
}

/**
 * Schedules the sweep, at start and every hour: deletes what is past its retention, and leftovers of crashes; erasures
 * are swept at once.
 */
export const scheduleSweep = async (given: Omit<SweepDependencies, 'orphans'>): Promise<void> => {
  const parts = { ...given, orphans: new OrphanWatch() }
  const { jobs, disk } = parts
  jobs.define(clearKind, z.object({ folder: z.string() }), ({ folder }) => disk.clear(folder))
  await every(jobs, { kind: 'files/sweep', interval: '1h', run: signal => sweep(parts, signal), atStart: true })
}

/** Schedules the deletion of a folder without a row, also if the process ends before. */
export const clearLater = (jobs: Host['jobs'], folder: string, tx: FilesTransaction) =>
  jobs.enqueue(clearKind, { folder }, { tx })

/** Ends old versions and unused reservations, then deletes contents without a row. */
export const sweep = async (parts: SweepDependencies, signal?: AbortSignal): Promise<void> => {
  const ended = await endOldVersions(parts, signal)
  await parts.storage.write(tx => endExpiredReservations(tx, parts.space, parts.clock.now()), onePersonAtATime)
  const orphans = await dropOrphans(parts, signal)
  if (ended + orphans > 0) parts.log.info('files were swept', { versions: ended, orphans })
}

const endOldVersions = async (
  { storage, disk, limits, clock, space }: SweepDependencies,
  signal?: AbortSignal,
): Promise<number> => {
  const before = clock.now() - limits.versionMs
  let ended = 0
  for (;;) {
    signal?.throwIfAborted()
    const oldest = await storage.read
      .selectFrom('files_versions as versions')
      .innerJoin('files_people as people', 'people.person', 'versions.person')
      .select(['people.person', 'people.did', 'people.folder'])
      .where('versions.ended_at', '<=', before)
      .orderBy('versions.ended_at')
      .limit(1)
      .executeTakeFirst()
    if (!oldest) return ended
    const { person, did, folder } = oldest
    const { count, freed } = await storage.write(async tx => {
      // A write, so that no other process ends them too.
      await countRecords(tx, person, 0)
      const old = await tx
        .selectFrom('files_versions')
        .select('version')
        .where('person', '=', person)
        .where('ended_at', '<=', before)
        .orderBy('ended_at')
        .limit(maxAtOnce)
        .execute()
      const versions = old.map(one => one.version)
      if (versions.length === 0) return { count: 0, freed: [] }
      const gone = await tx.deleteFrom('files_versions').where('version', 'in', versions).returning('sha256').execute()
      await countRecords(tx, person, -gone.length)
      const freed = await releaseContents(tx, person, gone)
      await space.countStored(tx, [{ did, bytes: addedBytes(freed) }])
      return { count: gone.length, freed }
    }, onePersonAtATime)
    ended += count
    await disk.remove(
      folder,
      freed.flatMap(({ file = [] }) => file),
    )
  }
}

const dropOrphans = async ({ storage, disk, orphans }: SweepDependencies, signal?: AbortSignal): Promise<number> => {
  const nameless: DiskPlace[] = []
  // Each list is made before the rows are read, so that content committed in between has its row by then.
  for await (const { folder, files: there } of disk.listAtRest()) {
    signal?.throwIfAborted()
    if (there.length === 0) continue
    const named = await storage.read
      .selectFrom('files_blobs as blobs')
      .innerJoin('files_people as people', 'people.person', 'blobs.person')
      .select('blobs.file')
      .where('people.folder', '=', folder)
      .execute()
    const kept = new Set(named.map(({ file }) => file))
    nameless.push(...there.filter(file => !kept.has(file)).map(file => ({ folder, file })))
  }
  // On SQLite no other process writes here.
  const abandoned = storage.engine === 'sqlite' ? nameless : orphans.abandoned(nameless)
  for (const { folder, file } of abandoned) await disk.remove(folder, [file])
  return abandoned.length
}
