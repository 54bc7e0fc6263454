import { parseJson } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { Project } from '../../project/project.ts'
import { isSqliteInUse, sqlitePath, usualDatabaseUrl } from '../../project/sqlite-database.ts'

const requestLimitMs = 1_000

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
  try {
    const url = `http://127.0.0.1:${Number(port)}/.well-known/oracle.json`
    const response = await fetch(url, { signal: AbortSignal.timeout(requestLimitMs), redirect: 'error' })
    const record = parseJson((await response.text()).slice(0, 100_000)) as { readonly did?: unknown } | undefined
    return record?.did === did
  } catch {
    return false
  }
}
