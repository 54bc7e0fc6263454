import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { SourceReplacement } from './replace-source.ts'

const replaced = vi.hoisted((): { replacements: readonly SourceReplacement[] } => ({ replacements: [] }))

vi.mock('./replace-source.ts', () => ({
  replaceSource: (replacements: readonly SourceReplacement[]) => {
    replaced.replacements = replacements
  },
}))

const faults = join(import.meta.dirname, '..')
const root = join(faults, '../..')

const scripts = readdirSync(faults, { recursive: true, encoding: 'utf8' }).filter(
  file => file.endsWith('.ts') && !file.endsWith('.test.ts') && /^replaceSource\(/m.test(read(join(faults, file))),
)

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

test('there are scripts that replace sources', () => {
  expect(scripts.length).toBeGreaterThan(50)
})

test.each(scripts)('%s names texts that are in the sources once', async script => {
  await import(join(faults, script))
  const { replacements } = replaced
  expect(replacements.length).toBeGreaterThan(0)
  const counts = replacements.map(({ file, find }) => [file, find, read(join(root, file)).split(find).length - 1])
  expect(counts).toEqual(replacements.map(({ file, find }) => [file, find, 1]))
})
