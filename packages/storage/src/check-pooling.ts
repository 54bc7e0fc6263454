import { parseDatabaseUrl } from './database-url.ts'

/**
 * Checks that no connection pooler in front of PostgreSQL shares its sessions between connections. `openStorage` checks it
 * too; this leaves the database as it is. Nothing is checked for SQLite.
 *
 * @throws `pooling_unsupported`, `database_url_invalid`,
 * `driver_missing`, `database_unreachable`
 */
export const checkPooling = async (url: string): Promise<void> => {
  const location = parseDatabaseUrl(url)
  if (location.engine === 'sqlite') return
  const { loadPg } = await import('./postgres/load-driver.ts')
  const { postgresAddress } = await import('./postgres/postgres-address.ts')
  const { assertSessionPooling } = await import('./postgres/session-pooling.ts')
  await assertSessionPooling(await loadPg(), postgresAddress(location.url))
}
