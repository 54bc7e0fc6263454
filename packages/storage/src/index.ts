export { checkPooling } from './check-pooling.ts'
export { type Clock, systemClock } from './clock.ts'
export { deleteInParts, type RowsToDelete } from './delete-in-parts.ts'
export type { Engine } from './engine.ts'
export * from './errors/job-errors.ts'
export * from './errors/migration-errors.ts'
export * from './errors/open-errors.ts'
export { StorageError, type StorageErrorFacts } from './errors/storage-error.ts'
export * from './errors/write-errors.ts'
export type {
  AnyTransaction,
  EnqueueOptions,
  EnqueueResult,
  JobCall,
  JobInfo,
  JobKindOptions,
  JobState,
  Jobs,
} from './jobs/jobs.ts'
export { nextCronTimes } from './jobs/next-cron-time.ts'
export { type JobsOptions, type OpenedJobs, openJobs } from './jobs/open-jobs.ts'
export { ZoneClock } from './jobs/zone-clock.ts'
export { CamelCasePlugin, type Generated, sql } from './kysely.ts'
export type { StorageLogger } from './logger.ts'
export type { Migration, Migrations, UntypedTables } from './migrations/migrations.ts'
export { openStorage } from './open-storage.ts'
export type { Processes } from './processes.ts'
export { openRestoreWatch, type RestoreWatch, type RestoreWatchOptions } from './restores/open-restore-watch.ts'
export { runEach } from './run-each.ts'
export type { Storage, StorageOptions, WriteOptions } from './storage.ts'
export { TickBatch } from './tick-batch.ts'
export { afterCommit } from './transaction-scope.ts'
export { type RowsToUpdate, updateInParts } from './update-in-parts.ts'
export type { ColumnTypes, DataType } from './values/column-types.ts'
export { type JsonColumn, type JsonText, toJson } from './values/json-text.ts'
export { joinedWord, nameParts, searchWords } from './words/search-words.ts'
