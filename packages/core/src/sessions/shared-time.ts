import { type Storage, sql } from '@sibyl/storage'

/**
 * The time that all processes agree on, in milliseconds since 1970: PostgreSQL's, the same throughout a statement. On
 * SQLite, with its one process, it is the time given.
 */
export const sharedTime = (engine: Storage['engine'], now: number) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${now} as integer)`

/** A moment as `sharedTime` gives it. */
export type SharedTime = ReturnType<typeof sharedTime>
