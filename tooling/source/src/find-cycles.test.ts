import { expect, test } from 'vitest'
import { findCycles } from './find-cycles.ts'

const cycles = (imports: Record<string, string[]>) => findCycles(new Map(Object.entries(imports)))

test('a tree has none', () => {
  expect(cycles({ a: ['b', 'c'], b: ['c'], c: [], d: ['outside'] })).toEqual([])
})

test('a file that imports itself is one', () => {
  expect(cycles({ a: ['a'] })).toEqual([['a']])
})

test('a file that only leads to a cycle is not part of it', () => {
  expect(cycles({ start: ['a'], a: ['b'], b: ['a', 'end'], end: [] })).toEqual([['a', 'b']])
})

test('separate cycles are each reported', () => {
  expect(cycles({ a: ['b'], b: ['a'], c: ['d'], d: ['c'] })).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})
