import type { Migrations } from '../migrations/migrations.ts'
import type { JsonColumn } from '../sql/json-text.ts'
import { sql } from '../sql/kysely.ts'
import type { JobState } from './jobs.ts'

/** A job from its taking in until it is cleared away. */
export interface JobTable {
  id: string
  kind: string
  data: JsonColumn<unknown>
  state: JobState
  run_at: number
  attempt: number
  dedupe_key: string | null
  request_id: string | null
  /** 1 if the job runs again after it has ended, because a job with its dedupe key was enqueued. */
  again: number
  lease_owner: string | null
  lease_until: number | null
  last_error: string | null
  /** The code of the last failure, if the error had one. */
  last_code: string | null
  created_at: number
  ended_at: number | null
}

/** A cron schedule and the time it is due next. */
export interface JobScheduleTable {
  key: string
  cron: string
  time_zone: string
  kind: string
  data: JsonColumn<unknown>
  next_at: number
}

/** The tables of durable jobs. */
export interface JobTables {
  sibyl_job: JobTable
  sibyl_job_schedule: JobScheduleTable
}

/** Makes the tables of durable jobs. */
export const jobMigrations: Migrations = {
  '001_jobs': async (db, column) => {
    await db.schema
      .createTable('sibyl_job')
      .addColumn('id', column.text, c => c.primaryKey())
      .addColumn('kind', column.text, c => c.notNull())
      .addColumn('data', column.json, c => c.notNull())
      .addColumn('state', column.text, c => c.notNull())
      .addColumn('run_at', column.timestamp, c => c.notNull())
      .addColumn('attempt', column.integer, c => c.notNull())
      .addColumn('dedupe_key', column.text)
      .addColumn('lease_owner', column.text)
      .addColumn('lease_until', column.timestamp)
      .addColumn('last_error', column.text)
      .addColumn('created_at', column.timestamp, c => c.notNull())
      .addColumn('ended_at', column.timestamp)
      .execute()
    await db.schema
      .createIndex('sibyl_job_dedupe')
      .unique()
      .on('sibyl_job')
      .columns(['kind', 'dedupe_key'])
      .where(sql<boolean>`dedupe_key is not null and state in ('waiting', 'running')`)
      .execute()
    await db.schema.createIndex('sibyl_job_due').on('sibyl_job').columns(['state', 'run_at']).execute()
    await db.schema
      .createTable('sibyl_job_schedule')
      .addColumn('key', column.text, c => c.primaryKey())
      .addColumn('cron', column.text, c => c.notNull())
      .addColumn('time_zone', column.text, c => c.notNull())
      .addColumn('kind', column.text, c => c.notNull())
      .addColumn('data', column.json, c => c.notNull())
      .addColumn('next_at', column.timestamp, c => c.notNull())
      .execute()
  },
  '002_request_id': async (db, column) => {
    await db.schema.alterTable('sibyl_job').addColumn('request_id', column.text).execute()
  },
  '003_again': async (db, column) => {
    await db.schema
      .alterTable('sibyl_job')
      .addColumn('again', column.integer, c => c.notNull().defaultTo(0))
      .execute()
  },
  '004_last_code': async (db, column) => {
    await db.schema.alterTable('sibyl_job').addColumn('last_code', column.text).execute()
  },
}
