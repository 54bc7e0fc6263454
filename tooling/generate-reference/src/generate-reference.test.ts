import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { findCodeViolations } from './errors/find-code-violations.ts'
import { generateReference } from './generate-reference.ts'

const pages = await generateReference()
const readPage = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8')

test.each([...pages])('%s is what the sources say; else run: npx -y pnpm@12 reference', (path, text) => {
  expect(readPage(path)).toBe(text)
})

test('docs/reference/errors.md lists every code, and no other', () => {
  expect(findCodeViolations(readPage('docs/reference/errors.md'))).toEqual([])
})

test('no page is left of a command that is gone', () => {
  const written = globSync('docs/reference/cli/*.md', { cwd: workspaceRoot })
  expect(written.filter(path => !pages.has(path))).toEqual([])
})

test('no page has more than 1,000 lines', () => {
  expect([...pages].filter(([, text]) => text.split('\n').length > 1_000).map(([path]) => path)).toEqual([])
})
