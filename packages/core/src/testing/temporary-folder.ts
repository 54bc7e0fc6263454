import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one test, removed after it. */
export interface TemporaryFolder extends Disposable {
  readonly path: string
  /** `DATABASE_URL` of a database file in it. */
  readonly databaseUrl: string
}

/** Creates a folder. @example using folder = temporaryFolder() */
export const temporaryFolder = (): TemporaryFolder => {
  const path = mkdtempSync(join(tmpdir(), 'sibyl-core-'))
  return {
    path,
    databaseUrl: `file:${join(path, 'sibyl.db')}`,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
