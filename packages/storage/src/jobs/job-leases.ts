import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, Transaction } from 'kysely'
import type { Storage } from '../contract/storage.ts'
import type { JobFailure } from './error-text.ts'
import type { StoredJob } from './job-store.ts'
import type { JobTables } from './job-tables.ts'

/** Each statement decides by the rows that it changes or locks itself. */
const rowByRow = { isolation: 'read committed' } as const

/** Takes due jobs for one process, holds them while they run, and lets them go; the same statements on both engines. */
export class JobLeases {
  readonly #storage: Storage<JobTables>
  /** The holder of the leases: one process's set of jobs. */
  readonly owner = randomUUID()

  constructor(storage: Storage<JobTables>) {
    this.#storage = storage
  }

  async isAnyDue(kinds: readonly string[], now: number): Promise<boolean> {
    return (await this.#due(this.#storage.read, kinds, now).limit(1).executeTakeFirst()) !== undefined
  }

  /**
   * Takes due jobs, the longest due first, until the lease ends; what another process takes at the same time is passed over.
   *
   * @param free how many of each kind at most
   */
  claim(free: ReadonlyMap<string, number>, now: number, leaseUntil: number): Promise<StoredJob[]> {
    const slots = [...free.values()].reduce((sum, count) => sum + count, 0)
    return this.#storage.write(async tx => {
      const due = this.#due(tx, [...free.keys()], now).limit(slots)
      const found = await (this.#storage.engine === 'postgres' ? due.forUpdate().skipLocked() : due).execute()
      const left = new Map(free)
      const ids = found.flatMap(({ id, kind }) => {
        const slotsLeft = left.get(kind) ?? 0
        left.set(kind, slotsLeft - 1)
        return slotsLeft > 0 ? [id] : []
      })
      if (ids.length === 0) return []
      return await tx
        .updateTable('sibyl_job')
        .set(eb => ({
          state: 'running',
          attempt: eb('attempt', '+', 1),
          again: 0,
          lease_owner: this.owner,
          lease_until: leaseUntil,
        }))
        .where('id', 'in', ids)
        .where('state', '=', 'waiting')
        .returningAll()
        .execute()
    }, rowByRow)
  }

  /** Renews the leases and returns the ids that are still ours. */
  async renew(ids: readonly string[], leaseUntil: number): Promise<ReadonlySet<string>> {
    const rows = await this.#storage.write(
      tx =>
        tx
          .updateTable('sibyl_job')
          .set({ lease_until: leaseUntil })
          .where('id', 'in', ids)
          .where(eb => eb.and({ lease_owner: this.owner, state: 'running' }))
          .returning('id')
          .execute(),
      rowByRow,
    )
    return new Set(rows.map(row => row.id))
  }

  /**
   * Ends an attempt that this process still owns: `done`, `dead`, or `waiting` for the next one. A job that has to run again
   * waits for that.
   *
   * @param expired For the attempt of another process: its lease as it was read. If it was renewed since, nothing changes.
   * @returns its state now; undefined if nothing changed
   */
  async endTry(
    job: Pick<StoredJob, 'id' | 'lease_owner' | 'attempt'>,
    next:
      | { readonly state: 'done' | 'dead'; readonly now: number; readonly failure?: JobFailure }
      | { readonly state: 'waiting'; readonly runAt: number; readonly attempt: number; readonly failure?: JobFailure },
    expired?: Pick<StoredJob, 'lease_until'>,
  ): Promise<StoredJob['state'] | undefined> {
    const ended = await this.#storage.write(
      tx =>
        tx
          .updateTable('sibyl_job')
          .set(eb => ({
            lease_owner: null,
            lease_until: null,
            ...(next.failure !== undefined && { last_error: next.failure.text, last_code: next.failure.code ?? null }),
            ...(next.state === 'waiting'
              ? { state: next.state, run_at: next.runAt, attempt: next.attempt }
              : {
                  state: eb
                    .case()
                    .when('again', '=', 1)
                    .then('waiting' as const)
                    .else(next.state)
                    .end(),
                  run_at: eb.case().when('again', '=', 1).then(next.now).else(eb.ref('run_at')).end(),
                  attempt: eb.case().when('again', '=', 1).then(0).else(eb.ref('attempt')).end(),
                  ended_at: eb.case().when('again', '=', 1).then(null).else(next.now).end(),
                }),
          }))
          .where(eb => eb.and({ id: job.id, state: 'running', lease_owner: job.lease_owner, attempt: job.attempt }))
          .$if(expired !== undefined, update => update.where('lease_until', '=', expired!.lease_until))
          .returning('state')
          .executeTakeFirst(),
      rowByRow,
    )
    return ended?.state
  }

  /** Ends a job that is held; false where it is not ours any more. */
  async complete(tx: Transaction<JobTables>, id: string, now: number): Promise<boolean> {
    const ended = await tx
      .updateTable('sibyl_job')
      .set({ state: 'done', ended_at: now, lease_owner: null, lease_until: null })
      .where(eb => eb.and({ id, state: 'running', lease_owner: this.owner }))
      .executeTakeFirst()
    return ended.numUpdatedRows > 0n
  }

  /** Running jobs whose holder is gone: by their lease, or all of other holders where only this process can hold one. */
  abandoned(now: number): Promise<StoredJob[]> {
    return this.#storage.read
      .selectFrom('sibyl_job')
      .selectAll()
      .where('state', '=', 'running')
      .where(eb => this.#isAbandoned(eb, now))
      .execute()
  }

  /** The next time that anything is to be done for these kinds; undefined when nothing is. */
  async nextTime(kinds: readonly string[], freeKinds: readonly string[]): Promise<number | undefined> {
    const { read } = this.#storage
    const [job, lease, schedule] = await Promise.all([
      freeKinds.length === 0
        ? undefined
        : read
            .selectFrom('sibyl_job')
            .select('run_at as at')
            .where('state', '=', 'waiting')
            .where('kind', 'in', freeKinds)
            .orderBy('run_at')
            .limit(1)
            .executeTakeFirst(),
      read
        .selectFrom('sibyl_job')
        .select(eb => eb.fn.min('lease_until').as('at'))
        .where('state', '=', 'running')
        .where('lease_owner', '!=', this.owner)
        .executeTakeFirst(),
      kinds.length === 0
        ? undefined
        : read
            .selectFrom('sibyl_job_schedule')
            .select(eb => eb.fn.min('next_at').as('at'))
            .where('kind', 'in', kinds)
            .executeTakeFirst(),
    ])
    const times = [job?.at, lease?.at, schedule?.at].filter(at => at !== undefined && at !== null)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  #due(db: Pick<Storage<JobTables>['read'], 'selectFrom'>, kinds: readonly string[], now: number) {
    return db
      .selectFrom('sibyl_job')
      .select(['id', 'kind'])
      .where('state', '=', 'waiting')
      .where('run_at', '<=', now)
      .where('kind', 'in', kinds)
      .orderBy('run_at')
  }

  /** If several processes share the database, an expired lease is the only sign that its holder is gone. */
  #isAbandoned(eb: ExpressionBuilder<JobTables, 'sibyl_job'>, now: number) {
    const othersLease = eb('lease_owner', '!=', this.owner)
    return this.#storage.engine === 'sqlite' ? othersLease : othersLease.and('lease_until', '<=', now)
  }
}
