import type { WorkspacePackage } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkReferences } from './check-references.ts'

const files = [{ path: 'src/index.ts', text: '' }]
const packages: WorkspacePackage[] = [
  { folder: '.', manifest: { name: 'sibyl' }, files },
  { folder: 'packages/core', manifest: { name: '@sibyl/core' }, files },
  {
    folder: 'packages/cli',
    manifest: { name: '@sibyl/cli', devDependencies: { '@sibyl/core': 'workspace:*', zod: 'catalog:' } },
    files,
  },
  { folder: 'tooling/node22', manifest: { name: '@sibyl/node22' }, files: [] },
]
const violations = (references: Record<string, string[]>) => checkReferences(packages, folder => references[folder])

test('every package with sources is compiled, after what it depends on', () => {
  const references = { '.': ['packages/core', 'packages/cli'], 'packages/core': [], 'packages/cli': ['packages/core'] }
  expect(violations(references)).toEqual([])
})

test('what is left out is found', () => {
  expect(violations({ '.': ['packages/core'], 'packages/core': [], 'packages/cli': [] })).toEqual([
    'tsconfig.json does not refer to packages/cli.',
    'packages/cli/tsconfig.json does not refer to packages/core, which the package depends on.',
  ])
  expect(violations({ '.': ['packages/core', 'packages/cli'], 'packages/cli': ['packages/core'] })).toEqual([
    'packages/core has no tsconfig.json.',
  ])
})
