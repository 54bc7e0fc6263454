import { every, type Host } from '@sibyl/plugin'
import { z } from 'zod'
import type { FilesLimits } from '../definitions/files-env.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import type { BlobDisk } from '../disk/blob-disk.ts'
import { endDeadArrivals } from './arrival-room.ts'
import { releaseContents } from './hold-content.ts'
import { countRecords, onePersonAtATime } from './people.ts'

/**
 * A content that no row names may belong to an upload under way until it was seen for so long, in milliseconds: longer than
 * a request may take.
 */
export const orphanMs = 4_200_000

/** A content on the disk. */
export interface DiskPlace {
  readonly folder: string
  readonly file: string
}

/**
 * Remembers since when contents have been seen that no row names. It goes by the time that passes in this process alone,
 * which neither the computer's clock nor that of the disk can move.
 */
export class OrphanWatch {
  readonly #elapsed: () => number
  #since: ReadonlyMap<string, number> = new Map()

  /** @param elapsed Milliseconds since whenever, never set and never turned back. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed
  }

  /** Those of the contents without a row that have been seen for so long that nobody is writing them any more. */
  abandoned(seen: readonly DiskPlace[]): readonly DiskPlace[] {
    const now = this.#elapsed()
    const key = ({ folder, file }: DiskPlace) => `${folder}/${file}`
    this.#since = new Map(seen.map(one => [key(one), this.#since.get(key(one)) ?? now]))
    return seen.filter(one => now - (this.#since.get(key(one)) ?? now) >= orphanMs)
  }
}

const clearKind = 'files/clear'

/** Most versions that one transaction ends. */
const mostAtOnce = 200

export interface SweepParts {
  readonly storage: FilesStorage
  readonly disk: BlobDisk
  readonly limits: Pick<FilesLimits, 'versionMs'>
  readonly jobs: Host['jobs']
  readonly clock: Host['clock']
  readonly log: Host['log']
  readonly orphans: OrphanWatch
}

/** Deletes at start and every hour what is kept no longer, and what crashes left; and at once what is to be erased. */
export const scheduleSweep = async (given: Omit<SweepParts, 'orphans'>): Promise<void> => {
  const parts = { ...given, orphans: new OrphanWatch() }
  const { jobs, disk } = parts
  jobs.define(clearKind, z.object({ folder: z.string() }), ({ folder }) => disk.clear(folder))
  await every(jobs, { kind: 'files/sweep', interval: '1h', run: signal => sweep(parts, signal), atStart: true })
}

/** Has a folder that no row names any more deleted, also where the process ends before that. */
export const clearLater = (jobs: Host['jobs'], folder: string, tx: FilesTransaction) =>
  jobs.enqueue(clearKind, { folder }, { tx })

/** Ends old versions and room that nobody needs, then deletes contents that no row names. */
export const sweep = async (parts: SweepParts, signal?: AbortSignal): Promise<void> => {
  const ended = await endOldVersions(parts, signal)
  await parts.storage.write(tx => endDeadArrivals(tx, parts.clock.now()), onePersonAtATime)
  const orphans = await dropOrphans(parts, signal)
  if (ended + orphans > 0) parts.log.info('files were swept', { versions: ended, orphans })
}

const endOldVersions = async ({ storage, disk, limits, clock }: SweepParts, signal?: AbortSignal): Promise<number> => {
  const before = clock.now() - limits.versionMs
  let ended = 0
  for (;;) {
    signal?.throwIfAborted()
    const oldest = await storage.read
      .selectFrom('files_versions as versions')
      .innerJoin('files_people as people', 'people.person', 'versions.person')
      .select(['people.person', 'people.folder'])
      .where('versions.ended_at', '<=', before)
      .orderBy('versions.ended_at')
      .limit(1)
      .executeTakeFirst()
    if (!oldest) return ended
    const { person, folder } = oldest
    const { count, freed } = await storage.write(async tx => {
      // Writes, so that nobody else ends them too.
      await countRecords(tx, person, 0)
      const old = await tx
        .selectFrom('files_versions')
        .select('version')
        .where('person', '=', person)
        .where('ended_at', '<=', before)
        .orderBy('ended_at')
        .limit(mostAtOnce)
        .execute()
      const versions = old.map(one => one.version)
      if (versions.length === 0) return { count: 0, freed: [] }
      const gone = await tx.deleteFrom('files_versions').where('version', 'in', versions).returning('sha256').execute()
      await countRecords(tx, person, -gone.length)
      return { count: gone.length, freed: await releaseContents(tx, person, gone) }
    }, onePersonAtATime)
    ended += count
    await disk.remove(folder, freed)
  }
}

const dropOrphans = async ({ storage, disk, orphans }: SweepParts, signal?: AbortSignal): Promise<number> => {
  const nameless: DiskPlace[] = []
  for (const folder of await disk.folders()) {
    signal?.throwIfAborted()
    // Before the rows are read: what is committed in between has its row by then.
    const there = await disk.contentsAtRest(folder)
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
