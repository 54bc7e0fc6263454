import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPlugin } from '@sibyl/core/testing'
import { afterAll, describe, test } from 'vitest'
import { files } from './files.ts'

describe('keeps the rules of all plugins:', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-files-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const samples = { path: 'notes/tea.md', under: 'notes', text: 'Ada likes tea', query: 'tea' }
  for (const check of checkPlugin(() => files(), { env: { FILES_DIR: folder }, samples })) test(check.name, check.run)
})
