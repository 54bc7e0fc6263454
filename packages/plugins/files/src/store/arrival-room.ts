import { randomBytes } from 'node:crypto'
import type { Clock, LimitShare, Logger } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { type FilesLimits, megabyte } from '../definitions/files-env.ts'
import { filesErrors, quotaReached } from '../definitions/files-errors.ts'
import type { FilesStorage, FilesTransaction } from '../definitions/files-tables.ts'
import type { BlobDisk } from '../disk/blob-disk.ts'
import { endArrival } from './keep-file.ts'
import { type FilesPerson, lockHolder, lockPerson, onePersonAtATime } from './people.ts'

/** How much an arrival that does not say its length reserves ahead, in bytes. */
const step = megabyte

/** How long room stays reserved for an arrival that says nothing more, in milliseconds. */
export const arrivalMs = 600_000

interface ArrivalRoomParts {
  readonly storage: FilesStorage
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly limits: FilesLimits
  readonly disk: Pick<BlobDisk, 'freeBytes'>
  readonly person: FilesPerson
  /** How much of the room for all the person may use. */
  readonly share: LimitShare
  /** The file that it replaces; its bytes become free where no versions are kept. */
  readonly current: { readonly bytes: number } | undefined
}

/**
 * The room of a content that arrives, reserved in the database before a byte of it is written, so that what a person has and
 * what arrives for them never take more than the quota together, in several processes as well. So it is for the room of all,
 * and for what has to stay free on the disk. A reservation whose process is gone ends by itself.
 */
export class ArrivalRoom {
  /** Names the reservation; `keepFile` ends it. */
  readonly arrival = randomBytes(12).toString('hex')
  readonly #parts: ArrivalRoomParts
  readonly #frees: number
  #reserved = -1
  #reservedAt = 0

  constructor(parts: ArrivalRoomParts) {
    this.#parts = parts
    this.#frees = parts.limits.versionMs === 0 ? (parts.current?.bytes ?? 0) : 0
  }

  /**
   * Sees to it that there is room for so many bytes in all. What is told in small pieces is reserved in larger ones, as far
   * as there is room for them.
   *
   * @param total All bytes up to now, or all that are to come.
   * @throws `file_too_large`, `files_quota_reached`, `files_share_reached`,
   * `files_full`, `files_disk_low`, `files_erased`
   */
  async take(total: number): Promise<void> {
    const { limits, person } = this.#parts
    const left = limits.quotaBytes - person.bytes + this.#frees
    if (total > Math.min(left, limits.maxFileBytes)) {
      throw left < limits.maxFileBytes
        ? quotaReached(limits.quotaBytes)
        : filesErrors.file_too_large({ most: limits.maxFileBytes.toLocaleString('en') })
    }
    const now = this.#parts.clock.now()
    if (total <= this.#reserved && Math.abs(now - this.#reservedAt) < arrivalMs / 2) return
    const first = this.#reserved < 0
    const ahead = first ? total : Math.max(total, this.#reserved, Math.min(total + step, left, limits.maxFileBytes))
    try {
      await this.#reserve(ahead, now)
    } catch (error) {
      if (!isFull(error) || ahead === total) throw error
      await this.#reserve(total, now)
    }
  }

  /** Gives the room back; where that fails, its time ends it. */
  async release(): Promise<void> {
    if (this.#reserved < 0) return
    const { storage, log } = this.#parts
    await storage
      .write(tx => endArrival(tx, this.arrival), onePersonAtATime)
      .catch(error => log.warn('room for a file could not be given back; it is free again in ten minutes', { error }))
  }

  async #reserve(bytes: number, now: number): Promise<void> {
    const { storage, limits, disk, share } = this.#parts
    const { person, holder } = this.#parts.person
    const free = await disk.freeBytes()
    await storage.write(async tx => {
      await lockHolder(tx, holder)
      await lockPerson(tx, person)
      await endDeadArrivals(tx, now, person)
      const row = { bytes, ends_at: now + arrivalMs }
      await tx
        .insertInto('files_arrivals')
        .values({ arrival: this.arrival, person, ...row })
        .onConflict(conflict => conflict.column('arrival').doUpdateSet(row))
        .execute()
      const used = await usedRoom(tx, { holder, origin: share.origin })
      if (used.ofHolder - this.#frees > limits.quotaBytes) throw quotaReached(limits.quotaBytes)
      if (used.ofOrigin - this.#frees > share.ofOrigin) throw filesErrors.files_share_reached()
      if (used.ofAll - this.#frees > share.ofAll) throw filesErrors.files_full()
      if (free - used.arriving < limits.minFreeBytes) throw filesErrors.files_disk_low()
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

/** Ends reservations whose time is over, and those that a clock in the future made; of one person or of all. */
export const endDeadArrivals = async (tx: FilesTransaction, now: number, person?: number): Promise<void> => {
  const dead = tx
    .deleteFrom('files_arrivals')
    .where(eb => eb.or([eb('ends_at', '<=', now), eb('ends_at', '>', now + 2 * arrivalMs)]))
  await (person === undefined ? dead : dead.where('person', '=', person)).execute()
}

/** Reads how many bytes a holder, an origin and all use: kept, and reserved for what arrives. */
const usedRoom = async (
  tx: FilesTransaction,
  { holder, origin = '' }: { readonly holder: string; readonly origin: string | undefined },
) => {
  const sums = (column: 'people.bytes' | 'arrivals.bytes') => {
    const bytes = sql.ref(column)
    return [
      sql<number>`coalesce(sum(case when people.holder = ${holder} then ${bytes} end), 0)`.as('ofHolder'),
      sql<number>`coalesce(sum(case when people.origin = ${origin} then ${bytes} end), 0)`.as('ofOrigin'),
      sql<number>`coalesce(sum(${bytes}), 0)`.as('ofAll'),
    ] as const
  }
  const kept = await tx
    .selectFrom('files_people as people')
    .select([...sums('people.bytes')])
    .executeTakeFirstOrThrow()
  const arriving = await tx
    .selectFrom('files_arrivals as arrivals')
    .innerJoin('files_people as people', 'people.person', 'arrivals.person')
    .select([...sums('arrivals.bytes')])
    .executeTakeFirstOrThrow()
  return {
    ofHolder: Number(kept.ofHolder) + Number(arriving.ofHolder),
    ofOrigin: Number(kept.ofOrigin) + Number(arriving.ofOrigin),
    ofAll: Number(kept.ofAll) + Number(arriving.ofAll),
    arriving: Number(arriving.ofAll),
  }
}
