import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { generateReference } from './generate-reference.ts'

const pages = await generateReference()

test.each([...pages])('%s is what the sources say; else run: npx -y pnpm@12 reference', (path, text) => {
  expect(readFileSync(join(workspaceRoot, path), 'utf8')).toBe(text)
})

test('no page is left of a route or command that is gone', () => {
  const written = globSync('docs/reference/{http,cli}/*.md', { cwd: workspaceRoot })
  expect(written.filter(path => !pages.has(path))).toEqual([])
})

test('no page has more than 1,000 lines', () => {
  expect([...pages].filter(([, text]) => text.split('\n').length > 1_000).map(([path]) => path)).toEqual([])
})
