import type { PoolClient } from 'pg'
import type { DatabaseSnapshot } from '../contract/database-snapshot.ts'
import { DatabaseHandles } from '../transactions/database-handles.ts'
import { loadPg } from './load-driver.ts'
import { noCompiling } from './open-postgres.ts'
import { clientConfig, postgresAddress } from './postgres-address.ts'
import { PostgresConnection, rowTypes } from './postgres-connection.ts'
import { postgresLanguage } from './postgres-engine.ts'
import { storageErrorOf } from './postgres-errors.ts'
import { settingsQuery } from './session-settings.ts'

/** Time limit of one query: a page of a table. */
const queryLimitMs = 600_000

const lockTables = `select 'lock table ' || string_agg(format('%I.%I', current_schema(), relname), ', ') || ' in access share mode' as text
  from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`

/**
 * Opens one snapshot of all tables. Other processes read and write meanwhile; changes of the schema wait for its end.
 *
 * @throws `driver_missing`, `database_unreachable`
 */
export const openPostgresSnapshot = async (url: URL): Promise<DatabaseSnapshot> => {
  const pg = await loadPg()
  const address = postgresAddress(url)
  const translate = (error: unknown) => storageErrorOf(error, address.server)
  const pool = new pg.Pool({ ...clientConfig(address), keepAlive: true, types: rowTypes(pg.types), max: 1 })
  pool.on('error', () => {})
  let client: PoolClient | undefined
  const close = async () => {
    client?.release(true)
    await pool.end()
  }
  try {
    client = await pool.connect()
    client.on('error', () => {})
    const settings = {
      ...noCompiling,
      ...address.settings,
      statement_timeout: '0',
      idle_in_transaction_session_timeout: '0',
    }
    await client.query(settingsQuery(settings, pg.escapeLiteral))
    const { rows } = await client.query<{ text: string | null }>(lockTables)
    await client.query('begin isolation level repeatable read, read only')
    // Before the snapshot is taken, which is at the first query: as pg_dump does, against rewritten tables.
    if (rows[0]?.text) await client.query(rows[0].text)
    const connection = new PostgresConnection(client, { timeLimitMs: queryLimitMs, translate })
    const handles = new DatabaseHandles('postgres', postgresLanguage)
    return {
      engine: 'postgres',
      read: handles.reader({ provideConnection: consumer => consumer(connection) }),
      close,
    }
  } catch (error) {
    await close().catch(() => {})
    throw translate(error)
  }
}
