import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusalReasons } from '@sibyl/identity'
import { findPackages, workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { compareCodes } from './compare-codes.ts'
import { declaredCodes } from './declared-codes.ts'
import { documentedCodes } from './documented-codes.ts'

test('docs/reference/errors.md lists every code, and no other', () => {
  const page = readFileSync(join(workspaceRoot, 'docs/reference/errors.md'), 'utf8')
  const expansions = { 'ucan_*': Object.keys(refusalReasons).map(reason => `ucan_${reason}`) }
  expect(compareCodes(declaredCodes(findPackages()), documentedCodes(page), expansions)).toEqual([])
})
