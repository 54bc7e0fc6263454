import type { Defences } from './defence.ts'

/** Defences of the database and its clock. */
export const storageDefences: Defences = {
  'failed-sync-ends-process': {
    broken: 'The process stays after a failed sync.',
    replacements: [
      {
        file: 'packages/core/src/start/run-until-signal.ts',
        find: 'void oracle.failed.then(() => {',
        replace: 'void new Promise(() => {}).then(() => {',
      },
    ],
  },
  'failed-sync-in-health': {
    broken: 'The health route only checks reads.',
    replacements: [
      {
        file: 'packages/storage/src/sqlite/open-sqlite.ts',
        find: 'if (this.#open.sync.failure !== undefined) return false',
        replace: '',
      },
    ],
  },
  'failed-sync-log-rewritten': {
    broken: 'The log that a failed sync left stays as it is.',
    replacements: [
      {
        file: 'packages/storage/src/sqlite/open-sqlite.ts',
        find: 'if (recovered) rewriteLog(writer, file)',
        replace: '',
      },
    ],
  },
  'failed-sync-not-repeated': {
    broken: 'Data committed during a failed sync is synced again, which succeeds without the lost pages.',
    replacements: [
      {
        file: 'packages/storage/src/sqlite/log-sync.ts',
        find: 'this.#running.then(() => this.#sync())',
        replace: 'this.#running.then(() => this.#sync(), () => this.#sync())',
      },
    ],
  },
  'failed-sync-stops-writes': {
    broken: 'Writes run after a failed sync; they are refused all the same, and can be read.',
    replacements: [
      {
        file: 'packages/storage/src/sqlite/group-commit.ts',
        find: 'if (this.#sync.failure !== undefined) throw this.#sync.failure',
        replace: '',
      },
    ],
  },
  'nonces-outlive-jumps': {
    broken: 'Nonces that have expired by the clock are forgotten at once, also when the clock has just jumped.',
    replacements: [
      {
        file: 'packages/core/src/maintenance/maintenance.ts',
        find: 'if (clock.evenFor() < evenBeforeMs) return',
        replace: '',
      },
    ],
  },
  'schedules-put-right': {
    broken: 'A schedule keeps the time that a wrong clock gave it.',
    replacements: [
      {
        file: 'packages/storage/src/jobs/job-schedules.ts',
        find: 'if (now < this.#checkedAt) await this.#repair(kinds, now)',
        replace: '',
      },
    ],
  },
  'synced-before-told': {
    broken: 'Writes are acknowledged after the commit, without a sync.',
    replacements: [
      {
        file: 'packages/storage/src/sqlite/log-sync.ts',
        find: 'fdatasync(this.#descriptor, error => {',
        replace: 'setImmediate((error?: Error) => {',
      },
    ],
  },
}
