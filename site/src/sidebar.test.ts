import { expect, test } from 'vitest'
import type { Page } from './find-pages.ts'
import { makeSidebar, type SidebarItem } from './sidebar.ts'

const page = (path: string, markdown = ''): Page => ({ source: path, path, title: path, summary: '', markdown })
const links = (items: readonly SidebarItem[]): unknown[] =>
  items.map(({ text, items: children, link }) => (children ? [link ?? text, links(children)] : link))

test('pages are in the order in which the index page links them, the others last', () => {
  const index = page('guide/index.md', '- [Tides](tides.md): high water.\n- [Ports](ports.md#north): berths.\n')
  const pages = [page('guide/about.md'), index, page('guide/ports.md'), page('guide/tides.md')]
  expect(links(makeSidebar(pages))[0]).toEqual([
    '/guide/index.md',
    ['/guide/tides.md', '/guide/ports.md', '/guide/about.md'],
  ])
})

test('the pages of a folder are below the page of its name', () => {
  const pages = ['reference/index.md', 'reference/http.md', 'reference/http/chat.md'].map(path => page(path))
  expect(links(makeSidebar(pages))).toEqual([
    ['/reference/index.md', [['/reference/http.md', ['/reference/http/chat.md']]]],
  ])
})

test('decisions are in the order in which their index page links them', () => {
  const index = page('decisions/index.md', '- [Tides](tides.md)\n- [Ports](ports.md)\n')
  const pages = [index, page('decisions/ports.md'), page('decisions/tides.md')]
  expect(links(makeSidebar(pages)).at(-1)).toEqual([
    '/decisions/index.md',
    ['/decisions/tides.md', '/decisions/ports.md'],
  ])
})
