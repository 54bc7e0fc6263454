export { type CheckOptions, checkBackup } from './check-backup.ts'
export { checkPooling } from './check-pooling.ts'
export type { ContentsLocation, OwnedFile, OwnedFiles } from './contract/owned-files.ts'
export type { Processes } from './contract/processes.ts'
export type { Storage, StorageOptions, WriteOptions } from './contract/storage.ts'
export { type BackupOptions, type BackupProgress, createBackup } from './create-backup.ts'
export {
  type DefinedErrorConstructor,
  type ErrorDefinitions,
  type ErrorGroup,
  errorGroup,
} from './errors/error-group.ts'
export { StorageError, type StorageErrorFacts } from './errors/storage-error.ts'
export { storageErrors } from './errors/storage-errors.ts'
export { isTemporary } from './is-temporary.ts'
export type { JobCount, JobFilter, JobKindInfo, JobSummary } from './jobs/job-reports.ts'
export type { JobTables } from './jobs/job-tables.ts'
export type {
  AnyTransaction,
  EnqueueOptions,
  EnqueueResult,
  HeldJob,
  HoldOptions,
  JobCall,
  JobInfo,
  JobKindOptions,
  JobPurpose,
  JobState,
  Jobs,
} from './jobs/jobs.ts'
export { type JobsOptions, type OpenedJobs, openJobs } from './jobs/open-jobs.ts'
export type { StorageLogger } from './logging/logger.ts'
export type { Migration, Migrations, UntypedTables } from './migrations/migrations.ts'
export { type FilesMoveOptions, moveFiles } from './move-files.ts'
export {
  type MovedStorage,
  type MoveOptions,
  type MoveOwner,
  type MoveProgress,
  moveStorage,
} from './move-storage.ts'
export { isObjectUrl, type ObjectStoreEnv, objectLocation, objectStoreVariables } from './objects/object-location.ts'
export { type ObjectStore, openObjectStore } from './objects/object-store.ts'
export { openStorage } from './open-storage.ts'
export { changeInParts, type RowsToChange } from './parts/change-in-parts.ts'
export { deleteInParts, type RowsToDelete } from './parts/delete-in-parts.ts'
export { releaseSpace } from './parts/release-space.ts'
export { type RowsToUpdate, updateInParts } from './parts/update-in-parts.ts'
export { readUsage, type StorageUsage, type TableUsage } from './read-usage.ts'
export { type RestoreOptions, restoreBackup } from './restore-backup.ts'
export { openRestoreWatch, type RestoreWatch, type RestoreWatchOptions } from './restores/open-restore-watch.ts'
export type { ColumnTypes, DataType } from './sql/column-types.ts'
export type { Engine } from './sql/engine.ts'
export { type FixedStatement, runFixed } from './sql/fixed-statement.ts'
export { type JsonColumn, type JsonText, toJson } from './sql/json-text.ts'
export { CamelCasePlugin, type Generated, type Selectable, sql } from './sql/kysely.ts'
export { type CamelCaseStorage, camelCaseStorage, camelCaseTransaction } from './tables/camel-case-storage.ts'
export { createTables } from './tables/create-tables.ts'
export { defineTable } from './tables/define-table.ts'
export type { Table, TableColumns, TableOptions, TablesOf } from './tables/table.ts'
export { column, type TableColumn, type TableColumnType } from './tables/table-column.ts'
export { tableViolations } from './tables/table-violations.ts'
export { TickBatch } from './tick-batch.ts'
export { type Clock, systemClock } from './time/clock.ts'
export { nextCronTimes } from './time/next-cron-time.ts'
export { ZoneClock } from './time/zone-clock.ts'
export { runEach } from './transactions/run-each.ts'
export { afterCommit } from './transactions/transaction-scope.ts'
export { joinedWord, nameParts, searchWords } from './words/search-words.ts'
