import { createParser, findPackages } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { allowedImports } from './allowed-imports.ts'
import { checkWorkspace } from './check-workspace.ts'
import { findUnusedImports } from './find-unused-imports.ts'
import { layers } from './layers.ts'
import { describeViolations } from './violation.ts'

const packages = findPackages()
/** Shared by the tests, so that each file is parsed once. */
const parse = createParser()

test('every import of the workspace follows a declared dependency', () => {
  expect(packages.map(({ manifest }) => manifest.name)).toContain('@sibyl/core')
  expect(describeViolations(checkWorkspace(packages, layers, parse))).toEqual([])
})

test('every package with folders declares their layers', () => {
  const withFolders = packages
    .filter(({ folder, files }) => folder.startsWith('packages/') && files.some(({ path }) => /^src\/.+\//.test(path)))
    .map(({ folder }) => folder)
  expect(withFolders.filter(folder => !Object.hasOwn(layers, folder))).toEqual([])
})

test('every key of the layers is a folder', () => {
  const files = packages.flatMap(({ folder, files }) => files.map(({ path }) => `${folder}/${path}`))
  expect(Object.keys(layers).filter(key => !files.some(file => file.startsWith(`${key}/`)))).toEqual([])
})

test('every allowed import is needed', () => {
  expect(findUnusedImports(packages, allowedImports, parse)).toEqual([])
})
