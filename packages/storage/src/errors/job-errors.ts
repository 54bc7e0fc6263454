import { StorageError } from './storage-error.ts'

/** A job of an undefined kind was enqueued. */
export class JobKindUnknownError extends StorageError {
  readonly code = 'job_kind_unknown'
  constructor(kind: string) {
    super(`The job kind '${kind}' is not defined. Call jobs.define('${kind}', ...) before you enqueue such jobs.`, {
      kind,
    })
  }
}

/** A job kind was defined twice. */
export class JobKindTakenError extends StorageError {
  readonly code = 'job_kind_taken'
  constructor(kind: string) {
    super(`The job kind '${kind}' is already defined. Prefix it with the name of the plugin.`, {
      kind,
    })
  }
}

/**
 * The data of a job does not match the schema of its kind, is not JSON, or is too large. The message names places,
 * never values.
 */
export class JobDataInvalidError extends StorageError {
  readonly code = 'job_data_invalid'
  override readonly status = 400
  constructor(kind: string, problem: string) {
    super(`The data of a '${kind}' job ${problem}.`, { kind })
  }
}

/** A schedule's cron pattern cannot be read, or never matches. */
export class CronInvalidError extends StorageError {
  readonly code = 'cron_invalid'
  override readonly status = 400
  constructor(cron: string, options?: ErrorOptions) {
    super(
      `'${cron.slice(0, 80)}' is not a cron pattern that ever matches. Give five fields: minute hour day month weekday, such as '0 9 * * 1'.`,
      {},
      options,
    )
  }
}

/** A schedule's time zone is not known. */
export class TimeZoneInvalidError extends StorageError {
  readonly code = 'time_zone_invalid'
  override readonly status = 400
  constructor(timeZone: string, options?: ErrorOptions) {
    super(
      `'${timeZone.slice(0, 80)}' is not a time zone. Give a name of the IANA list, such as 'Europe/Berlin'.`,
      {},
      options,
    )
  }
}

/** Why a running job's signal aborts: the job was cancelled. */
export class JobCancelledError extends StorageError {
  readonly code = 'job_cancelled'
  constructor() {
    super('The job was canceled.')
  }
}

/** Why a running job's signal aborts: the process stops; the job runs again later. */
export class JobsStoppedError extends StorageError {
  readonly code = 'jobs_stopped'
  constructor() {
    super('The process is stopping its jobs; this one runs again later.')
  }
}

/** Why a running job's signal aborts: the process could not renew its hold on it in time, so another may run it. */
export class JobLeaseLostError extends StorageError {
  readonly code = 'job_lease_lost'
  constructor() {
    super('The lease of the job expired; another process may be running it.')
  }
}

/** Why a running job's signal aborts: its time limit passed. */
export class JobTimeoutError extends StorageError {
  readonly code = 'job_timeout'
  constructor(timeLimitMs: number) {
    super(`The job did not end within ${timeLimitMs} ms.`, { timeLimitMs })
  }
}
