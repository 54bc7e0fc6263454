import { expect, test } from 'vitest'
import { type ListPage, withFirstPage } from './with-first-page.ts'

const page = (ids: string, next?: string): ListPage => ({ rows: [...ids], ...(next === undefined ? {} : { next }) })

const dataOf = (...pages: readonly ListPage[]) => ({
  pages: [...pages],
  pageParams: pages.map((_, index) => pages[index - 1]?.next),
})

const merged = (before: readonly ListPage[], fresh: ListPage) =>
  withFirstPage(dataOf(...before), fresh, 'rows', String).pages.map(
    ({ rows, next }) => `${(rows as string[]).join('')} ${next ?? ''}`,
  )

const loaded = [page('abc', 'c'), page('def', 'f'), page('ghi', 'i')]

test('an unchanged first page changes nothing', () => {
  expect(withFirstPage(dataOf(...loaded), page('abc', 'c'), 'rows', String)).toEqual(dataOf(...loaded))
})

test('new items push others to later pages, and the next page stays the same', () => {
  expect(merged(loaded, page('xab', 'b'))).toEqual(['xab b', 'cde b', 'fgh b', 'i i'])
})

test('items that moved to the top or are gone leave their place', () => {
  expect(merged(loaded, page('eab', 'b'))).toEqual(['eab b', 'cdf b', 'ghi i'])
  expect(merged(loaded, page('acd', 'd'))).toEqual(['acd d', 'efg d', 'hi i'])
})

test('the list begins again after a gap, and ends with a first page that is whole', () => {
  expect(merged(loaded, page('xyz', 'z'))).toEqual(['xyz z'])
  expect(merged(loaded, page('a'))).toEqual(['a '])
})

test('an empty page that has a next one changes nothing', () => {
  expect(merged(loaded, page('', 'c'))).toEqual(['abc c', 'def f', 'ghi i'])
})
