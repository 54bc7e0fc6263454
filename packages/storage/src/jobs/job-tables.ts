import { z } from 'zod'
import type { Migrations } from '../migrations/migrations.ts'
import { createTables } from '../tables/create-tables.ts'
import { defineTable } from '../tables/define-table.ts'
import type { TablesOf } from '../tables/table.ts'
import { column } from '../tables/table-column.ts'
import type { JobState } from './jobs.ts'

/** Jobs until they are cleared away. */
const jobs = defineTable(
  'sibyl_job',
  {
    id: column.text().primaryKey(),
    kind: column.text(),
    data: column.json(z.unknown()),
    state: column.text<JobState>(),
    run_at: column.timestamp(),
    attempt: column.integer(),
    dedupe_key: column.text().nullable(),
    lease_owner: column.text().nullable(),
    lease_until: column.timestamp().nullable(),
    last_error: column.text().nullable(),
    created_at: column.timestamp(),
    ended_at: column.timestamp().nullable(),
    request_id: column.text().nullable(),
    /** 1 if the job runs again after it has ended, because a job with its dedupe key was enqueued. */
    again: column.integer().default(0),
    /** The code of the last failure, if the error had one. */
    last_code: column.text().nullable(),
  },
  {
    indexes: {
      sibyl_job_dedupe: {
        columns: ['kind', 'dedupe_key'],
        unique: true,
        where: "dedupe_key is not null and state in ('waiting', 'running')",
      },
      sibyl_job_due: ['state', 'run_at'],
    },
  },
)

/** Cron schedules, each with the time it is due next. */
const schedules = defineTable('sibyl_job_schedule', {
  key: column.text().primaryKey(),
  cron: column.text(),
  time_zone: column.text(),
  kind: column.text(),
  data: column.json(z.unknown()),
  next_at: column.timestamp(),
})

/** The tables of durable jobs. */
export type JobTables = TablesOf<[typeof jobs, typeof schedules]>

export const jobMigrations: Migrations = { '0100-base': createTables([jobs, schedules]) }
