import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { findCodeFaults } from './errors/find-code-faults.ts'
import { generateReference } from './generate-reference.ts'

const pages = await generateReference()
const readPage = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8')

test.each([...pages])('%s is what the sources say; else run: npx -y pnpm@12 reference', (path, text) => {
  expect(readPage(path)).toBe(text)
})

test('docs/reference/errors.md lists every code, and no other', () => {
  expect(findCodeFaults(readPage('docs/reference/errors.md'))).toEqual([])
})
