/** What a plugin with tables needs of storage, without a dependency of its own on it. */
export {
  type AnyTransaction,
  afterCommit,
  type ColumnTypes,
  type Generated,
  type JobCall,
  type JobInfo,
  type JobKindOptions,
  type Jobs,
  type JsonColumn,
  type Migration,
  type Migrations,
  StorageError,
  sql,
  TickBatch,
  toJson,
} from '@sibyl/storage'
