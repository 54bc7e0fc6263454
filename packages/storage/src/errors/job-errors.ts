import { StorageError } from './storage-error.ts'

/** A job was taken in of a kind that nobody defined. */
export class JobKindUnknownError extends StorageError {
  readonly code = 'job_kind_unknown'
  constructor(kind: string) {
    super(`No job kind '${kind}' is defined. Call jobs.define('${kind}', ...) before jobs of that kind are taken in.`, {
      kind,
    })
  }
}

/** A job kind was defined twice. */
export class JobKindTakenError extends StorageError {
  readonly code = 'job_kind_taken'
  constructor(kind: string) {
    super(`The job kind '${kind}' is defined already. Put the plugin's name in front of it to keep kinds apart.`, {
      kind,
    })
  }
}

/** A job's data does not fit its kind's schema, is no JSON, or is too large. The text names places, never values. */
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
      `'${cron.slice(0, 80)}' is no cron pattern that ever matches. Give five fields: minute hour day month weekday, such as '0 9 * * 1'.`,
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
      `'${timeZone.slice(0, 80)}' is no time zone. Give a name of the IANA list, such as 'Europe/Berlin'.`,
      {},
      options,
    )
  }
}

/** Why a running job's signal aborts: the job was cancelled. */
export class JobCancelledError extends StorageError {
  readonly code = 'job_cancelled'
  constructor() {
    super('The job was cancelled.')
  }
}

/** Why a running job's signal aborts: the process stops; the job runs again later. */
export class JobsStoppedError extends StorageError {
  readonly code = 'jobs_stopped'
  constructor() {
    super('The process stops running jobs; this one runs again later.')
  }
}

/** Why a running job's signal aborts: the process could not renew its hold on it in time, so another may run it. */
export class JobLeaseLostError extends StorageError {
  readonly code = 'job_lease_lost'
  constructor() {
    super('The lease of the job ran out; it may run elsewhere by now.')
  }
}

/** Why a running job's signal aborts: its time limit passed. */
export class JobTimeoutError extends StorageError {
  readonly code = 'job_timeout'
  constructor(timeLimitMs: number) {
    super(`The job did not end within ${timeLimitMs} ms.`, { timeLimitMs })
  }
}
