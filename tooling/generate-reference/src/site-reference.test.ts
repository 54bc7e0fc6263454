import { bundledPlugins } from '@sibyl/bundle'
import { expect, test } from 'vitest'
import { routesOf } from './api-document.ts'
import { siteReference } from './site-reference.ts'

const { document, pages } = await siteReference()
const groups = [...pages].filter(([path]) => path.startsWith('docs/reference/http/'))

test('every route of the document has a section on one page, and a row in http.md', () => {
  const sections = groups.flatMap(([, text]) =>
    [...text.matchAll(/^## ((?:GET|POST|PUT|PATCH|DELETE) \S+)$/gm)].map(([, name]) => name),
  )
  const routes = routesOf(document).map(({ name }) => name)
  expect(sections.toSorted()).toEqual(routes.toSorted())
  const rows = [...pages.get('docs/reference/http.md')!.matchAll(/^\| \[(.+?)\]\(http\//gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(routes.toSorted())
})

test('plugins.md has a row for every plugin, in the order of the bundle', () => {
  const [overview = ''] = pages.get('docs/reference/plugins.md')!.split('\n## ')
  expect([...overview.matchAll(/^\| `(.+?)` \|/gm)].map(([, name]) => name)).toEqual(
    bundledPlugins().map(({ name }) => name),
  )
})

test('no page has more than 1,000 lines', () => {
  expect([...pages].filter(([, text]) => text.split('\n').length > 1_000).map(([path]) => path)).toEqual([])
})
