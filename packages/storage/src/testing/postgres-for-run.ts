import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { giveToServer } from './server-programs.ts'
import { startPostgres, type ThrowawayPostgres } from './start-postgres.ts'

/** The server restarts for no test: nothing has to reach the disk, and no statistics are needed. */
const settings = [
  'max_connections=400',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
]

/**
 * Offers a test run one PostgreSQL for all its test files, which the first of them starts, and a folder in which files with a
 * server of their own leave each other its cluster to copy; for vitest's `globalSetup`.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-pg-run-'))
  giveToServer(folder)
  process.env.SIBYL_TEST_POSTGRES_TEMPLATE = folder
  const socket = join(folder, 'shared')
  let starting: Promise<ThrowawayPostgres | undefined> | undefined
  const listener = createServer(client => {
    client.on('error', () => {})
    starting ??= startPostgres(settings)
    starting.then(
      postgres => client.end(postgres?.folder ?? ''),
      () => client.destroy(),
    )
  })
  await new Promise<void>(resolve => listener.listen(socket, resolve))
  process.env.SIBYL_TEST_POSTGRES_SHARED = socket
  return async () => {
    listener.close()
    await starting?.then(
      postgres => postgres?.stop(),
      () => {},
    )
    rmSync(folder, { recursive: true, force: true })
  }
}
