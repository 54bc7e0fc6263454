import type { ExpressionBuilder, Selectable, Transaction } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import { toJson } from '../sql/json-text.ts'
import type { JobTables } from './job-tables.ts'
import type { EnqueueResult, JobState } from './jobs.ts'

/** A job as the database holds it. */
export type StoredJob = Selectable<JobTables['sibyl_job']>
/** A schedule as the database holds it. */
export type StoredSchedule = Selectable<JobTables['sibyl_job_schedule']>

/** A job to be taken in. */
export interface NewJob {
  readonly id: string
  readonly kind: string
  readonly data: unknown
  readonly runAt: number
  readonly dedupeKey: string | null
  /** Whether the holder of the dedupe key runs again. */
  readonly again?: boolean
  readonly requestId?: string | undefined
  readonly now: number
}

/** The holder of a job, and the end of its lease. */
export interface JobLease {
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly until: number
}

const UNFINISHED: JobState[] = ['waiting', 'running']

/** Takes jobs in, finds them, and changes those that people ask about; the same statements on both engines. */
export class JobStore {
  readonly #storage: Storage<JobTables>

  constructor(storage: Storage<JobTables>) {
    this.#storage = storage
  }

  /** Takes a job in, unless its dedupe key is held. */
  async insert(tx: Transaction<JobTables>, job: NewJob): Promise<EnqueueResult> {
    for (;;) {
      const result = (await this.insertNew(tx, job)) ?? (await this.#findHolder(tx, job))
      // The holder may end in between.
      if (result) return result
    }
  }

  /** Takes a job in, with a lease as one that runs; undefined where its dedupe key is held. */
  async insertNew(tx: Transaction<JobTables>, job: NewJob, lease?: JobLease): Promise<EnqueueResult | undefined> {
    const inserted = await tx
      .insertInto('sibyl_job')
      .values({
        id: job.id,
        kind: job.kind,
        data: toJson(job.data),
        ...(lease
          ? { state: 'running', attempt: 1, lease_owner: lease.owner, lease_until: lease.until }
          : { state: 'waiting', attempt: 0 }),
        run_at: job.runAt,
        again: 0,
        dedupe_key: job.dedupeKey,
        request_id: job.requestId ?? null,
        created_at: job.now,
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return inserted && { id: inserted.id, created: true }
  }

  async #findHolder(tx: Transaction<JobTables>, job: NewJob): Promise<EnqueueResult | undefined> {
    const isHolder = (eb: ExpressionBuilder<JobTables, 'sibyl_job'>) =>
      eb.and([eb('kind', '=', job.kind), eb('dedupe_key', '=', job.dedupeKey), eb('state', 'in', UNFINISHED)])
    const found = job.again
      ? await tx.updateTable('sibyl_job').set({ again: 1 }).where(isHolder).returning('id').executeTakeFirst()
      : await tx.selectFrom('sibyl_job').select('id').where(isHolder).executeTakeFirst()
    return found && { id: found.id, created: false }
  }

  /** Makes the waiting jobs of a kind due; gives their ids, the earliest first. */
  async makeDue(kind: string, now: number): Promise<readonly string[]> {
    return await this.#storage.write(async tx => {
      const waiting = tx.selectFrom('sibyl_job').where('kind', '=', kind).where('state', '=', 'waiting')
      const rows = await waiting.select('id').orderBy('run_at').execute()
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0)
        await tx.updateTable('sibyl_job').set({ run_at: now, last_error: null }).where('id', 'in', ids).execute()
      return ids
    })
  }

  async counts(): Promise<ReadonlyMap<JobState, number>> {
    const rows = await this.#storage.read
      .selectFrom('sibyl_job')
      .select(({ fn }) => ['state', fn.countAll().as('count')])
      .groupBy('state')
      .execute()
    return new Map(rows.map(({ state, count }) => [state, Number(count)]))
  }

  /** Takes a job back; true when it was not over yet. */
  async cancel(id: string, now: number): Promise<boolean> {
    const result = await this.#storage.write(tx =>
      tx
        .updateTable('sibyl_job')
        .set({ state: 'cancelled', ended_at: now, lease_owner: null, lease_until: null })
        .where('id', '=', id)
        .where('state', 'in', [...UNFINISHED, 'dead'])
        .executeTakeFirst(),
    )
    return result.numUpdatedRows > 0n
  }

  /** Resets the attempts of a `dead` job; true if it was `dead`. */
  async revive(id: string, now: number): Promise<boolean> {
    const result = await this.#storage.write(tx =>
      tx
        .updateTable('sibyl_job')
        .set({ state: 'waiting', attempt: 0, run_at: now, ended_at: null })
        .where(eb => eb.and({ id, state: 'dead' }))
        .executeTakeFirst(),
    )
    return result.numUpdatedRows > 0n
  }

  /**
   * Resets the attempts of `dead` jobs of a kind in one write, the oldest first. Those whose key has an unfinished job are
   * cancelled instead, since that job does their work.
   */
  async reviveMany(kind: string, limit: number, now: number): Promise<{ revived: number; cancelled: number }> {
    return this.#storage.write(async tx => {
      const dead = await tx
        .selectFrom('sibyl_job')
        .select(['id', 'dedupe_key'])
        .where(eb => eb.and({ kind, state: 'dead' }))
        .orderBy('ended_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      const keys = dead.flatMap(({ dedupe_key: key }) => (key === null ? [] : [key]))
      const unfinished = await tx
        .selectFrom('sibyl_job')
        .select('dedupe_key')
        .where('kind', '=', kind)
        .where('state', 'in', UNFINISHED)
        .where('dedupe_key', 'in', keys.length === 0 ? [''] : keys)
        .execute()
      const taken = new Set<string | null>(unfinished.map(row => row.dedupe_key))
      const revived: string[] = []
      const cancelled: string[] = []
      for (const { id, dedupe_key: key } of dead) {
        const isTaken = key !== null && taken.has(key)
        if (isTaken) cancelled.push(id)
        else revived.push(id)
        taken.add(key)
      }
      const ofDead = (ids: readonly string[]) =>
        tx.updateTable('sibyl_job').where('id', 'in', ids).where('state', '=', 'dead')
      if (revived.length > 0) {
        await ofDead(revived).set({ state: 'waiting', attempt: 0, run_at: now, ended_at: null }).execute()
      }
      if (cancelled.length > 0) await ofDead(cancelled).set({ state: 'cancelled', ended_at: now }).execute()
      return { revived: revived.length, cancelled: cancelled.length }
    })
  }

  /** Makes a job that waits for its next attempt after a failure due; true if it does. */
  async hasten(id: string, now: number): Promise<boolean> {
    const result = await this.#storage.write(tx =>
      tx
        .updateTable('sibyl_job')
        .set({ run_at: now })
        .where(eb => eb.and({ id, state: 'waiting' }))
        .where('attempt', '>', 0)
        .where('last_error', 'is not', null)
        .executeTakeFirst(),
    )
    return result.numUpdatedRows > 0n
  }

  find(id: string): Promise<StoredJob | undefined> {
    return this.#storage.read.selectFrom('sibyl_job').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Returns `dead` jobs, latest first. */
  dead(kind: string | undefined, limit: number): Promise<StoredJob[]> {
    const query = this.#storage.read.selectFrom('sibyl_job').selectAll().where('state', '=', 'dead')
    const ofKind = kind === undefined ? query : query.where('kind', '=', kind)
    return ofKind.orderBy('ended_at', 'desc').limit(limit).execute()
  }

  /** Kinds of unfinished jobs and of schedules that are not among the given, with the number of their jobs. */
  async unknownKinds(kinds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { read } = this.#storage
    const jobs = await read
      .selectFrom('sibyl_job')
      .select(eb => ['kind', eb.fn.countAll<number>().as('count')])
      .where('state', 'in', UNFINISHED)
      .groupBy('kind')
      .execute()
    const schedules = await read.selectFrom('sibyl_job_schedule').select('kind').distinct().execute()
    const counts = new Map<string, number>(schedules.map(({ kind }) => [kind, 0]))
    for (const { kind, count } of jobs) counts.set(kind, count)
    for (const kind of kinds) counts.delete(kind)
    return counts
  }
}
