import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { findPackages, readManifest, workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkManifest } from './check-manifest.ts'
import { checkReferences } from './check-references.ts'

const packages = findPackages()

const referencesOf = (folder: string): string[] | undefined => {
  const file = join(workspaceRoot, folder, 'tsconfig.json')
  if (!existsSync(file)) return undefined
  const { references = [] } = JSON.parse(readFileSync(file, 'utf8')) as { references?: { path: string }[] }
  return references.map(({ path }) => posix.join(folder, path))
}

test('the manifests agree', () => {
  const root = readManifest(workspaceRoot)
  expect(packages.flatMap(each => checkManifest(each, root))).toEqual([])
})

test('tsc -b compiles every package', () => {
  expect(checkReferences(packages, referencesOf)).toEqual([])
})
