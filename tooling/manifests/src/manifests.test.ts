import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { findPackages, readManifest, workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkManifest } from './check-manifest.ts'
import { checkReferences } from './check-references.ts'

const packages = findPackages()

/** The project of a package's tests, where those need a package that needs the package itself. */
const testProject = 'tsconfig.test.json'

const referencesOf = (folder: string): string[] | undefined => {
  const files = ['tsconfig.json', testProject].map(name => join(workspaceRoot, folder, name)).filter(existsSync)
  return files.length === 0 ? undefined : files.flatMap(file => readReferences(file, folder))
}

const readReferences = (file: string, folder: string): string[] => {
  const { references = [] } = JSON.parse(readFileSync(file, 'utf8')) as { references?: { path: string }[] }
  return references.map(({ path }) => posix.join(folder, path))
}

test('the manifests agree', () => {
  const root = readManifest(workspaceRoot)
  expect(packages.flatMap(each => checkManifest(each, root))).toEqual([])
})

test('tsc -b compiles every package', () => {
  expect(checkReferences(packages, referencesOf)).toEqual([])
  const tests = packages.map(({ folder }) => posix.join(folder, testProject))
  expect(referencesOf('.')).toEqual(expect.arrayContaining(tests.filter(file => existsSync(join(workspaceRoot, file)))))
})
