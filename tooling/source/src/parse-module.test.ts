import { expect, test } from 'vitest'
import { parseModule } from './parse-module.ts'

const specifiers = (text: string) => parseModule(text).imports.map(({ specifier }) => specifier)

test.each([
  [`import { a } from './a.ts'`, ['./a.ts']],
  [`import './effect.ts'`, ['./effect.ts']],
  [`import type { A } from './a.ts'`, ['./a.ts']],
  [`import { type A } from './a.ts'`, ['./a.ts']],
  [`export { a } from './a.ts'`, ['./a.ts']],
  [`export type * from './a.ts'`, ['./a.ts']],
  [`export * as a from './a.ts'`, ['./a.ts']],
  [`const load = async () => (await import('./a.ts')).a`, ['./a.ts']],
  [`const a: import('./a.ts').A = { b: 1 }`, ['./a.ts']],
  [`const load = (name: string) => import(name)`, []],
  [`// import './a.ts'\nconst text = "import './b.ts'"`, []],
])('reads the imports of %s', (text, expected) => {
  expect(specifiers(text)).toEqual(expected)
})

test('says on which line an import is', () => {
  expect(parseModule(`\n\nimport { a } from './a.ts'\n`).imports).toEqual([{ specifier: './a.ts', line: 3 }])
})

test('finds default exports', () => {
  expect(parseModule('const a = 1\nexport default a').defaultExports).toEqual([2])
  expect(parseModule('export const a = 1').defaultExports).toEqual([])
})

test('finds variables of the module itself, and only those', () => {
  expect(parseModule('let a = 1\nexport let b = 2\nvar c = 3').mutableState).toEqual([1, 2, 3])
  expect(parseModule('const a = () => {\n  let b = 1\n  return b\n}\ndeclare let c: number').mutableState).toEqual([])
})

test.each([
  ['src/a.tsx', 'const a = <A b={async <T,>(c: T) => c} />'],
  ['src/a.ts', 'const a = <A>b'],
  ['src/a.mts', 'const a: A = b'],
  ['scripts/a.mjs', 'const a = await b'],
  ['src/page/a.js', 'const a = b'],
])('parses %s in the language of its extension', (file, text) => {
  expect(parseModule(`import 'c'\n${text}`, file).imports).toHaveLength(1)
})

test.each([
  ['src/a.ts', 'const a = <A />'],
  ['scripts/a.mjs', 'const a: A = b'],
])('does not parse another language in %s', (file, text) => {
  expect(() => parseModule(text, file)).toThrow(`${file} cannot be parsed`)
})

test('rejects what is not TypeScript', () => {
  expect(() => parseModule('const = 1', 'src/a.ts')).toThrow('src/a.ts cannot be parsed')
})
