import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { generateReference } from './generate-reference.ts'

const pages = await generateReference()

test.each([...pages])('%s is what the sources say; else run: npx -y pnpm@12 reference', (path, text) => {
  expect(readFileSync(join(workspaceRoot, path), 'utf8')).toBe(text)
})
