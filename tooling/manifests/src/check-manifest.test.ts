import type { Manifest } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkManifest } from './check-manifest.ts'

const root: Manifest = { name: 'sibyl', version: '1.2.3', engines: { node: '>=22.18' } }
const good: Manifest = {
  name: '@sibyl/tides',
  version: '1.2.3',
  license: 'Apache-2.0',
  description: 'Tides of a port',
  engines: { node: '>=22.18' },
  exports: { '.': { 'sibyl-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
  publishConfig: { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } },
  dependencies: { '@sibyl/core': 'workspace:*', zod: 'catalog:' },
}
const violations = (changes: Partial<Manifest>) =>
  checkManifest({ folder: 'packages/tides', manifest: { ...good, ...changes }, files: [] }, root)

test('a manifest like the others is accepted', () => {
  expect(violations({})).toEqual([])
})

test.each<[string, Partial<Manifest>]>([
  ['another version', { version: '1.2.4' }],
  ['another licence', { license: 'MIT' }],
  ['an empty description', { description: '' }],
  ['a version of its own', { dependencies: { zod: '4.6.7' } }],
  ['a range', { devDependencies: { zod: '^4.0.0' } }],
  ['a workspace package by version', { dependencies: { '@sibyl/core': '0.1.0' } }],
  ['another Node', { engines: { node: '>=20' } }],
  ['no published exports', { publishConfig: {} }],
  ['published exports with sources', { publishConfig: { exports: good.exports as never } }],
])('%s is found', (_, changes) => {
  expect(violations(changes)).toEqual([expect.stringContaining('packages/tides')])
})

test('what is private is not published', () => {
  expect(violations({ private: true, engines: {}, publishConfig: {} })).toEqual([])
})
