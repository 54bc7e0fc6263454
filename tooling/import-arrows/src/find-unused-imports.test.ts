import type { WorkspacePackage } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { findUnusedImports } from './find-unused-imports.ts'

const workspacePackage = (folder: string, name: string, files: Record<string, string> = {}): WorkspacePackage => ({
  folder,
  manifest: { name },
  files: Object.entries(files).map(([path, text]) => ({ path, text })),
})

test('an allowed import without a source that needs it is found', () => {
  const packages = [
    workspacePackage('packages/identity', '@sibyl/identity'),
    workspacePackage('packages/protocol', '@sibyl/protocol'),
    workspacePackage('packages/client', '@sibyl/client', {
      'src/index.ts': "// '@sibyl/identity' has the keys.\nexport { a } from '@sibyl/protocol/a'",
      'src/index.test.ts': "import { b } from '@sibyl/identity'",
    }),
  ]
  expect(findUnusedImports(packages, { client: ['protocol', 'identity'], outside: 'any' })).toEqual([
    'client may import identity, and no source of it does.',
  ])
})
