import { expect, test } from 'vitest'
import { bundledFiles, testFiles } from './test-files.ts'

const testFilesOf = (files: Record<string, string>, exports?: Record<string, Record<string, string>>) => [
  ...testFiles({
    folder: 'packages/tides',
    manifest: { name: '@sibyl/tides', ...(exports ? { exports } : {}) },
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  }),
]

test.each(['ts', 'tsx', 'mts', 'mjs', 'js'])('recognizes tests and their helpers by their names: .%s', extension => {
  const files = { [`src/a.${extension}`]: '', [`src/test.${extension}`]: '' }
  const tests = { [`src/a.test.${extension}`]: '', [`src/b.test.helper.${extension}`]: '' }
  expect(testFilesOf({ ...files, ...tests })).toEqual(Object.keys(tests))
})

test('a testing folder serves the tests, but for what the exports lead to', () => {
  const files = {
    'src/index.ts': '',
    'src/testing/index.ts': `export { a } from './a.ts'`,
    'src/testing/a.ts': `import type { B } from './b.ts'`,
    'src/testing/b.ts': '',
    'src/testing/c.ts': `import { a } from './a.ts'`,
  }
  expect(testFilesOf(files, { './testing': { 'sibyl-source': './src/testing/index.ts' } })).toEqual([
    'src/testing/c.ts',
  ])
  expect(testFilesOf(files)).toHaveLength(4)
})

test('what is bundled is all that imports lead to and exports do not', () => {
  const target = { 'sibyl-source': './src/page/page.ts', default: './dist/page.js.gz' }
  const files = {
    'src/index.ts': `export { a } from './shared.ts'`,
    'src/shared.ts': '',
    'src/page/page.ts': `import '../shared.ts'\nimport './part.ts'`,
    'src/page/part.ts': '',
    'src/page/other.ts': '',
  }
  const exports = { '.': { 'sibyl-source': './src/index.ts' } }
  const found = bundledFiles({
    folder: 'packages/tides',
    manifest: {
      name: '@sibyl/tides',
      exports,
      imports: { '#page.js': target, '#other': { 'sibyl-source': 'other/a.js' } },
    },
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  })
  expect([...found]).toEqual(['src/page/page.ts', 'src/page/part.ts'])
})
