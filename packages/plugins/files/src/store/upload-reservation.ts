import { randomBytes } from 'node:crypto'
import type { Clock, Logger, StoredSpace } from '@sibyl/plugin'
import type { CountedActor } from '@sibyl/protocol'
import { type FilesLimits, megabyte } from '../definitions/files-env.ts'
import { filesErrors, quotaReached } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import type { BlobStore } from '../disk/blob-store.ts'
import { assertSpace, endReservation } from './keep-file.ts'
import { type FilesPerson, lockHolder, lockPerson, onePersonAtATime } from './people.ts'

/** Number of bytes that an upload without a length reserves in advance. */
const step = megabyte

/** Lifetime of a reservation without further data, in milliseconds. */
export const reservationMs = 600_000

interface UploadReservationDependencies {
  readonly storage: FilesStorage
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly limits: FilesLimits
  readonly disk: Pick<BlobStore, 'freeBytes'>
  readonly person: FilesPerson
  /** The bytes of the person's contents. */
  readonly kept: number
  /** The person as counted. */
  readonly owner: CountedActor
  readonly space: StoredSpace
  /** The file that it replaces; its bytes become free if no versions are kept. */
  readonly current: { readonly bytes: number } | undefined
}

/**
 * The reservation of space for an upload, stored in the database before a byte is written, so that stored files and
 * uploads of all processes never exceed the quota together. The same applies to the total space and to the free space
 * on the disk. A reservation of a crashed process expires.
 */
export class UploadReservation {
  /** Id of the reservation; `keepFile` ends it. */
  readonly arrival = randomBytes(12).toString('hex')
  readonly #parts: UploadReservationDependencies
  readonly #frees: number
  #reserved = -1
  #reservedAt = 0

  constructor(parts: UploadReservationDependencies) {
    this.#parts = parts
    this.#frees = parts.limits.versionMs === 0 ? (parts.current?.bytes ?? 0) : 0
  }

  /**
   * Ensures space for a total number of bytes. Small pieces are reserved in larger steps, as far as there is space.
   *
   * @param total All bytes so far, or the expected total.
   * @throws `file_too_large`, `files_quota_reached`, `files_share_reached`,
   * `files_full`, `files_disk_low`, `files_erased`
   */
  async take(total: number): Promise<void> {
    const { limits, kept } = this.#parts
    const left = limits.quotaBytes - kept + this.#frees
    if (total > Math.min(left, limits.maxFileBytes)) {
      throw left < limits.maxFileBytes
        ? quotaReached(limits.quotaBytes)
        : filesErrors.file_too_large({ most: limits.maxFileBytes.toLocaleString('en') })
    }
    const now = this.#parts.clock.now()
    if (total <= this.#reserved && Math.abs(now - this.#reservedAt) < reservationMs / 2) return
    const first = this.#reserved < 0
    const ahead = first ? total : Math.max(total, this.#reserved, Math.min(total + step, left, limits.maxFileBytes))
    try {
      await this.#reserve(ahead, now)
    } catch (error) {
      if (!isFull(error) || ahead === total) throw error
      await this.#reserve(total, now)
    }
  }

  /** Releases the space; if that fails, the reservation expires. */
  async release(): Promise<void> {
    if (this.#reserved < 0) return
    const { storage, log, space, person } = this.#parts
    await storage
      .write(async tx => {
        const bytes = -(await endReservation(tx, this.arrival))
        await space.countStored(tx, [{ did: person.did, bytes }])
      }, onePersonAtATime)
      .catch(error => log.warn('space for a file could not be released; it is free again in ten minutes', { error }))
  }

  async #reserve(bytes: number, now: number): Promise<void> {
    const { storage, limits, disk, owner, space } = this.#parts
    const { person, holder } = this.#parts.person
    const free = await disk.freeBytes()
    await storage.write(async tx => {
      await lockHolder(tx, holder)
      await lockPerson(tx, person)
      await endExpiredReservations(tx, space, now, person)
      const before = await endReservation(tx, this.arrival)
      await tx
        .insertInto('files_arrivals')
        .values({ arrival: this.arrival, person, bytes, ends_at: now + reservationMs })
        .execute()
      const { arriving } = await tx
        .selectFrom('files_arrivals')
        .select(({ fn }) => fn.sum<number>('bytes').as('arriving'))
        .executeTakeFirstOrThrow()
      if (free - Number(arriving) < limits.minFreeBytes) throw filesErrors.files_disk_low()
      await space.countStored(tx, [{ ...owner, bytes: bytes - before }])
      await assertSpace(tx, { space, limits }, owner, -this.#frees)
    }, onePersonAtATime)
    this.#reserved = bytes
    this.#reservedAt = now
  }
}

const full = [
  filesErrors.files_quota_reached,
  filesErrors.files_share_reached,
  filesErrors.files_full,
  filesErrors.files_disk_low,
]

/** Returns whether a smaller reservation might fit. */
const isFull = (error: unknown): boolean => full.some(kind => kind.is(error))

/** Ends expired reservations, and those of a clock in the future; of one person or of all. */
export const endExpiredReservations = async (
  tx: FilesTransaction,
  space: StoredSpace,
  now: number,
  person?: number,
): Promise<void> => {
  const dead = tx
    .deleteFrom('files_arrivals')
    .where(eb => eb.or([eb('ends_at', '<=', now), eb('ends_at', '>', now + 2 * reservationMs)]))
    .returning(of => [
      'bytes',
      of
        .selectFrom('files_people')
        .select('did')
        .whereRef('files_people.person', '=', 'files_arrivals.person')
        .as('did'),
    ])
  const ended = await (person === undefined ? dead : dead.where('person', '=', person)).execute()
  await space.countStored(
    tx,
    ended.flatMap(({ did, bytes }) => (did === null ? [] : [{ did, bytes: -bytes }])),
  )
}
