import { cliErrors } from '../../errors/cli-errors.ts'
import type { Project } from '../../project/project.ts'
import { isSqliteInUse, sqlitePath, usualDatabaseUrl } from '../../project/sqlite-database.ts'
import { discoverOracle } from '../../registry/discover-oracle.ts'

/**
 * Checks that no oracle runs with the key that is about to be replaced: none has the project's SQLite database open, and
 * none answers at its port under the DID. Processes on other machines are not found.
 *
 * @throws `configuration_invalid`
 */
export const assertStopped = async ({ folder, setting }: Project, did: string): Promise<void> => {
  const url = setting('DATABASE_URL') ?? usualDatabaseUrl
  const path = url.startsWith('file:') ? sqlitePath(url, folder) : undefined
  const isRunning = (path !== undefined && isSqliteInUse(path)) || (await answersAs(did, setting('PORT') ?? '3000'))
  if (!isRunning) return
  throw cliErrors.configuration_invalid(
    'The oracle is running. It would go on signing with the old key, and nothing was changed.',
    'Stop all of its processes, and run this again.',
  )
}

const answersAs = async (did: string, port: string): Promise<boolean> => {
  const found = await discoverOracle(`http://127.0.0.1:${Number(port)}`, { timeLimitMs: 1_000 })
  return found.kind === 'oracle' && found.record.did === did
}
