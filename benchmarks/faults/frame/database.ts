import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type ThrowawayPostgres } from '@sibyl/storage/testing'
import type { Fault } from './run-fault.ts'

/** A database and a folder for one run, both gone after it. */
export interface FaultDatabase extends AsyncDisposable {
  readonly url: string
  /** The server, where it is PostgreSQL. */
  readonly postgres?: ThrowawayPostgres
  /** For what else the run writes. */
  readonly folder: string
}

/** Makes a database; ends the run with SKIP where PostgreSQL is wanted and not installed. */
export const openFaultDatabase = async (fault: Fault, engine: string): Promise<FaultDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-faults-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    return { url: `file:${join(folder, 'sibyl.db')}`, folder, [Symbol.asyncDispose]: async () => remove() }
  }
  const postgres = await startPostgres()
  if (postgres === undefined) {
    remove()
    return fault.skip('PostgreSQL is not installed here.')
  }
  const url = await postgres.createDatabase()
  return {
    url,
    postgres,
    folder,
    async [Symbol.asyncDispose]() {
      await postgres.stop()
      remove()
    },
  }
}

/** Returns the size of the files of a folder, in megabytes. */
export const megabytesOf = (folder: string): number =>
  Math.round(readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0) / 1e6)
