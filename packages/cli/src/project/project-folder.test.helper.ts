import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What a process of a test inherits besides its own variables: what Node compiled before is not compiled again. */
export const inherited = (): Record<string, string> => ({
  NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../../../node_modules/.cache/node'),
})

/** A folder with these files, `/` in their paths; gone after the test. */
export const folderWith = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sibyl project ü-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
