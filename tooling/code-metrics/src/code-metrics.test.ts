import { expect, test } from 'vitest'
import { countLines } from './count-lines.ts'
import { folderCycles } from './folder-cycles.ts'
import { measurePackage } from './measure-package.ts'

test('lines of docstrings are counted, other comments are code', () => {
  expect(countLines('/** One. */\nconst a = 1\n\n/**\n * Two.\n */\n// why\nconst b = 2\n')).toEqual({
    lines: 8,
    docstringLines: 4,
  })
})

test('folders that import each other are one group, others are in none', () => {
  const imports = new Map([
    ['a/one.ts', ['b/two.ts']],
    ['b/two.ts', ['c/three.ts']],
    ['c/three.ts', ['a/four.ts']],
    ['a/four.ts', []],
    ['d/five.ts', ['a/one.ts', 'd/six.ts']],
    ['d/six.ts', []],
  ])
  expect(folderCycles(imports)).toEqual([['a', 'b', 'c']])
})

test('tests are left out, names of the main entry and classes of errors are counted', () => {
  const files = {
    'src/index.ts': "export { type A, b } from './b.ts'\nexport const c = 1\n",
    'src/b.ts': 'export class Broken extends OracleError {}\nexport type A = string\nexport const b = 1\n',
    'src/app/view.tsx': 'export const view = <a />\n',
    'src/b.test.ts': 'throw new Error()\n',
    'src/app/view.test.tsx': '<a />\n',
    'src/testing/fake.ts': 'export const fake = 1\n',
  }
  const metrics = measurePackage({
    folder: 'packages/sample',
    manifest: { name: '@sibyl/sample' },
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  })
  expect(metrics).toEqual({
    folder: 'packages/sample',
    files: 3,
    lines: 6,
    docstringLines: 0,
    fileLines: [2, 3, 1],
    exports: 3,
    errorClasses: 1,
    folderCycles: [],
  })
})
