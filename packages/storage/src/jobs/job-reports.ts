import type { Storage } from '../contract/storage.ts'
import type { StoredJob } from './job-store.ts'
import type { JobTables } from './job-tables.ts'
import type { JobPurpose, JobState } from './jobs.ts'

/** A kind of job that is defined in this process. */
export interface JobKindInfo {
  readonly name: string
  readonly purpose: JobPurpose
  readonly maxAttempts: number
}

/** A job without its data, which may be personal. */
export interface JobSummary {
  readonly id: string
  readonly kind: string
  readonly state: JobState
  readonly attempt: number
  /** When it runs next, or was due, in milliseconds since 1970. */
  readonly runAt: number
  readonly createdAt: number
  readonly endedAt?: number
  /** The last failure, without secrets. */
  readonly lastError?: string
  readonly lastErrorCode?: string
}

/** Selects jobs for a list. */
export interface JobFilter {
  readonly state: JobState
  readonly kind?: string | undefined
  /** The `runAt` and `id` of the job after which the list starts. */
  readonly after?: readonly [runAt: number, id: string] | undefined
  readonly limit: number
}

export interface JobCount {
  readonly kind: string
  readonly state: JobState
  readonly count: number
  /** The number of them that have failed at least once. */
  readonly failing: number
  /** When the first of them is due or was, in milliseconds since 1970. */
  readonly firstAt: number
}

/** Lists and counts of jobs, for operators. */
export class JobReports {
  readonly #storage: Pick<Storage<JobTables>, 'read'>

  constructor(storage: Pick<Storage<JobTables>, 'read'>) {
    this.#storage = storage
  }

  /** Returns jobs in one state: waiting ones by their time, others the latest first. */
  async list({ state, kind, after, limit }: JobFilter): Promise<readonly JobSummary[]> {
    const [order, beyond] = state === 'waiting' ? (['asc', '>'] as const) : (['desc', '<'] as const)
    let query = this.#storage.read.selectFrom('sibyl_job').select(summaryColumns).where('state', '=', state)
    if (kind !== undefined) query = query.where('kind', '=', kind)
    if (after !== undefined) query = query.where(eb => eb(eb.refTuple('run_at', 'id'), beyond, eb.tuple(...after)))
    const rows = await query.orderBy('run_at', order).orderBy('id', order).limit(limit).execute()
    return rows.map(summaryOf)
  }

  /** Returns one job; undefined if it is unknown. */
  async find(id: string): Promise<JobSummary | undefined> {
    const row = await this.#storage.read
      .selectFrom('sibyl_job')
      .select(summaryColumns)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && summaryOf(row)
  }

  /** Returns the number of jobs of each kind in each state. */
  async counts(): Promise<readonly JobCount[]> {
    const rows = await this.#storage.read
      .selectFrom('sibyl_job')
      .select(({ fn }) => [
        'kind',
        'state',
        fn.countAll().as('count'),
        fn.count('last_error').as('failing'),
        fn.min('run_at').as('first_at'),
      ])
      .groupBy(['kind', 'state'])
      .execute()
    return rows.map(({ kind, state, count, failing, first_at }) => ({
      kind,
      state,
      count: Number(count),
      failing: Number(failing),
      firstAt: Number(first_at),
    }))
  }
}

const summaryColumns = [
  'id',
  'kind',
  'state',
  'attempt',
  'run_at',
  'created_at',
  'ended_at',
  'last_error',
  'last_code',
] as const

const summaryOf = ({
  run_at,
  created_at,
  ended_at,
  last_error,
  last_code,
  ...job
}: Pick<StoredJob, (typeof summaryColumns)[number]>): JobSummary => ({
  ...job,
  runAt: run_at,
  createdAt: created_at,
  ...(ended_at === null ? {} : { endedAt: ended_at }),
  ...(last_error === null ? {} : { lastError: last_error }),
  ...(last_code === null ? {} : { lastErrorCode: last_code }),
})
