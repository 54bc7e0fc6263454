import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { siteReference } from '@sibyl/tooling-generate-reference'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkLinks } from './check-links.ts'
import { checkPluginImports, ownExports } from './check-plugin-imports.ts'
import { checkPortable } from './check-portable.ts'
import { readTracked, trackedFiles } from './tracked-files.ts'

test('the links between the pages lead somewhere', () => {
  const pages = trackedFiles().filter(path => path.endsWith('.md'))
  expect(pages).toContain('docs/guide/index.md')
  const checkout = { exists: (path: string) => existsSync(join(workspaceRoot, path)), read: readTracked }
  expect(pages.flatMap(page => checkLinks(page, checkout))).toEqual([])
})

test('the links of the pages that only the site has lead somewhere', async () => {
  const { pages } = await siteReference()
  expect(pages.size).toBeGreaterThan(20)
  const checkout = {
    exists: (path: string) => pages.has(path) || existsSync(join(workspaceRoot, path)),
    read: (path: string) => pages.get(path) ?? readTracked(path),
  }
  expect([...pages.keys()].flatMap(page => checkLinks(page, checkout))).toEqual([])
})

test('no file names a registry or a path of one computer', () => {
  expect(trackedFiles().flatMap(path => checkPortable(path, readTracked(path)))).toEqual([])
})

test('pages, templates and examples import the names of @sibyl/plugin from there', () => {
  const names = ownExports(readTracked('packages/plugin/src/index.ts'))
  expect([...names]).toContain('definePlugin')
  const checked = trackedFiles().filter(path => /\.md$|^(?:templates|examples)\/.*\.tsx?$/.test(path))
  expect(checked.flatMap(path => checkPluginImports(path, readTracked(path), names))).toEqual([])
})
