import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled, makeServerFolder, startServer } from './server-programs.ts'

/** A PgBouncer in front of a throwaway PostgreSQL, reached through a socket in a temporary folder. */
export interface ThrowawayPgbouncer {
  /** Returns the URL of a database through the pooler. */
  urlOf(databaseUrl: string): string
  /** Ends the pooler and removes its folder. */
  stop(): Promise<void>
}

const PORT = 6432

/** Returns whether PgBouncer is on PATH, and says so in one line where it is not. */
export const hasPgbouncer = async (): Promise<boolean> => {
  const installed = await isInstalled('pgbouncer')
  if (!installed) console.info('PgBouncer is not tested: pgbouncer is not on PATH')
  return installed
}

/**
 * Starts a throwaway PgBouncer for tests. It ends with this process, however that ends.
 *
 * @param databaseUrl any database of the throwaway PostgreSQL
 * @param settings as lines of its ini file, such as `pool_mode = session`
 */
export const startPgbouncer = async (databaseUrl: string, settings: readonly string[]): Promise<ThrowawayPgbouncer> => {
  const folder = makeServerFolder('sibyl-pgb-')
  const ini = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, '"postgres" ""\n')
  const own = [
    `listen_port = ${PORT}`,
    `unix_socket_dir = ${folder}`,
    'auth_type = trust',
    `auth_file = ${users}`,
    ...settings,
  ]
  const host = new URL(databaseUrl).searchParams.get('host')
  writeFileSync(ini, ['[databases]', `* = host=${host}`, '[pgbouncer]', ...own, ''].join('\n'))
  const server = await startServer({
    program: 'pgbouncer',
    args: [ini],
    folder,
    endSignal: 'TERM',
    readyLine: 'process up',
  })
  return {
    urlOf: url => `postgres://postgres@localhost:${PORT}${new URL(url).pathname}?host=${encodeURIComponent(folder)}`,
    async stop() {
      const ended = once(server, 'exit')
      server.stdin?.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
