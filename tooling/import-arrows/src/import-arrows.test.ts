import { findPackages } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkWorkspace } from './check-workspace.ts'
import { describeViolations } from './violation.ts'

test('every import of the workspace follows a drawn arrow', () => {
  const packages = findPackages()
  expect(packages.map(({ manifest }) => manifest.name)).toContain('@sibyl/core')
  expect(describeViolations(checkWorkspace(packages))).toEqual([])
}, 120_000)
