import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a test run a folder in which its test files leave each other a PostgreSQL cluster to copy; for vitest's `globalSetup`. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-pg-templates-'))
  chmodSync(folder, 0o755)
  process.env.SIBYL_TEST_POSTGRES_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
