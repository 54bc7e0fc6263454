import { randomUUID } from 'node:crypto'
import type { Storage } from '../contract/storage.ts'
import type { StorageLogger } from '../logging/logger.ts'
import { toJson } from '../sql/json-text.ts'
import { nextCronTime } from '../time/next-cron-time.ts'
import type { JobStore, StoredSchedule } from './job-store.ts'
import type { JobTables } from './job-tables.ts'

/**
 * Maximum difference between the next time of a schedule and the one of its pattern; beyond it, a wrong clock is
 * assumed. A clock that goes back by less repeats no time, as in cron.
 */
const WRONG_CLOCK_MS = 3 * 3_600_000

/** A schedule as its owner gives it. */
export interface NewSchedule {
  readonly key: string
  readonly cron: string
  readonly timeZone: string
  readonly kind: string
  readonly data: unknown
}

/** Cron schedules: each takes a job in when it is due, and none while its last one is unfinished. */
export class JobSchedules {
  readonly #storage: Storage<JobTables>
  readonly #store: JobStore
  readonly #logger: StorageLogger
  #checkedAt = 0

  constructor(storage: Storage<JobTables>, store: JobStore, logger: StorageLogger) {
    this.#storage = storage
    this.#store = store
    this.#logger = logger
  }

  /** Keeps a schedule; one whose times are unchanged keeps its next time, so that a restart loses none. */
  async set(schedule: NewSchedule, now: number): Promise<number> {
    const { key, cron, timeZone, kind } = schedule
    const next = await nextCronTime(cron, timeZone, now)
    const data = toJson(schedule.data)
    return await this.#storage.write(async tx => {
      const known = await tx
        .selectFrom('sibyl_job_schedule')
        .select('next_at')
        .where(eb => eb.and({ key, cron, time_zone: timeZone }))
        .executeTakeFirst()
      const row = { cron, time_zone: timeZone, kind, data, next_at: rightTime(known?.next_at ?? next, next) }
      await tx
        .insertInto('sibyl_job_schedule')
        .values({ key, ...row })
        .onConflict(conflict => conflict.column('key').doUpdateSet(row))
        .execute()
      return row.next_at
    })
  }

  /** The schedules that make jobs of a kind. */
  ofKind(kind: string): Promise<readonly StoredSchedule[]> {
    return this.#storage.read.selectFrom('sibyl_job_schedule').selectAll().where('kind', '=', kind).execute()
  }

  /** Ends a schedule; one named after its kind is created again when a version that defines the kind starts. */
  async remove(key: string): Promise<boolean> {
    const result = await this.#storage.write(tx =>
      tx.deleteFrom('sibyl_job_schedule').where('key', '=', key).executeTakeFirst(),
    )
    return result.numDeletedRows > 0n
  }

  /** Takes in a job for each schedule of these kinds that is due: one, however many of its times were missed. */
  async fireDue(kinds: readonly string[], now: number): Promise<void> {
    if (kinds.length === 0) return
    if (now < this.#checkedAt) await this.#repair(kinds, now)
    this.#checkedAt = now
    const due = await this.#storage.read
      .selectFrom('sibyl_job_schedule')
      .selectAll()
      .where('next_at', '<=', now)
      .where('kind', 'in', kinds)
      .execute()
    for (const schedule of due) {
      const { key, kind, data } = schedule
      const next = await nextCronTime(schedule.cron, schedule.time_zone, now)
      const outcome = await this.#storage.write(async tx => {
        const moved = await tx
          .updateTable('sibyl_job_schedule')
          .set({ next_at: next })
          .where(eb => eb.and({ key, next_at: schedule.next_at }))
          .executeTakeFirst()
        if (moved.numUpdatedRows === 0n) return undefined
        const job = { id: randomUUID(), kind, data, runAt: schedule.next_at, dedupeKey: `schedule:${key}`, now }
        return await this.#store.insert(tx, job)
      })
      if (outcome?.created === false)
        this.#logger.warn('a scheduled job is still running, so one of its times is skipped', { key })
    }
  }

  /** After the clock went back: gives the schedules of these kinds their own next times, where it had been far ahead. */
  async #repair(kinds: readonly string[], now: number): Promise<void> {
    const late = await this.#storage.read
      .selectFrom('sibyl_job_schedule')
      .selectAll()
      .where('next_at', '>', now + WRONG_CLOCK_MS)
      .where('kind', 'in', kinds)
      .execute()
    for (const { key, cron, time_zone, next_at } of late) {
      const next = rightTime(next_at, await nextCronTime(cron, time_zone, now))
      if (next === next_at) continue
      await this.#storage.write(tx =>
        tx
          .updateTable('sibyl_job_schedule')
          .set({ next_at: next })
          .where(eb => eb.and({ key, next_at }))
          .execute(),
      )
      this.#logger.warn('the clock moved backward, so a schedule continues earlier than planned', { key })
    }
  }
}

/** @param byPattern the next time that the pattern gives */
const rightTime = (kept: number, byPattern: number): number => (kept - byPattern > WRONG_CLOCK_MS ? byPattern : kept)
