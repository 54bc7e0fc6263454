import type { Kysely } from 'kysely'
import type { CopyMark } from '../contract/copy-mark.ts'
import { sql } from '../sql/kysely.ts'

/**
 * The mark of a PostgreSQL database: its server and timeline, the database, and the version of a row that is never
 * updated. A dump that is loaded changes the row's version, a recovery from the archive or a failover the timeline.
 */
export class PostgresCopyMark implements CopyMark {
  readonly isDue = false

  async matches(stored: string, read: Kysely<object>): Promise<boolean> {
    return stored === (await markOf(read))
  }

  next(_stored: string | undefined, tx: Kysely<object>): Promise<string> {
    return markOf(tx)
  }

  async record(): Promise<void> {}
}

const markOf = async (db: Kysely<object>): Promise<string> => {
  const { rows } = await sql<{ mark: string }>`
    select concat_ws(
      '/',
      (select system_identifier from pg_control_system()),
      substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8),
      (select oid from pg_database where datname = current_database()),
      tableoid,
      xmin
    ) as mark
    from sibyl_copy
    where name = 'anchor'
  `.execute(db)
  return rows[0]?.mark ?? 'none'
}
