import { posix } from 'node:path'
import type { Page } from './find-pages.ts'

/** An entry of the sidebar, as VitePress takes it. */
export interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: readonly SidebarItem[]
}

/** Creates the sidebar: guide and reference in the order of their index pages, then packages, project and decisions. */
export const makeSidebar = (pages: readonly Page[]): SidebarItem[] => {
  const under = (folder: string) => pages.filter(({ path }) => path.startsWith(`${folder}/`))
  const group = (text: string, items: readonly SidebarItem[], collapsed: boolean): SidebarItem => ({
    text,
    collapsed,
    items,
  })
  return [
    group('Guide', items(listed('guide', under('guide'))), false),
    group('Reference', nested(listed('reference', under('reference'))), false),
    group('Packages', items(under('packages')), true),
    group('Examples', items([...under('examples'), ...under('benchmarks')]), true),
    group('Project', items(under('project')), true),
    group('Decisions', items(under('decisions').toReversed()), true),
  ]
}

/** Returns the pages of a folder, those that its index page links first, in the order of the links. */
export const listed = (folder: string, pages: readonly Page[]): Page[] => {
  const index = pages.find(({ path }) => path === `${folder}/index.md`)
  if (!index) return [...pages]
  const order = [...index.markdown.matchAll(/^\s*- \[[^\]]*\]\(([^)#]+)/gm)].map(([, target = '']) =>
    posix.join(folder, target),
  )
  const rank = ({ path }: Page) =>
    path === index.path ? -1 : (order.indexOf(path) + order.length + 1) % (order.length + 1)
  return pages.toSorted((one, other) => rank(one) - rank(other))
}

/** Puts the pages of a folder `x/` below the page `x.md` beside it. */
const nested = (pages: readonly Page[]): SidebarItem[] => {
  const parents = pages.filter(({ path }) => path.split('/').length === 2)
  return parents.map(parent => {
    const children = pages.filter(({ path }) => path.startsWith(`${parent.path.replace(/\.md$/, '')}/`))
    const [item] = items([parent])
    return children.length === 0 ? item! : { ...item!, collapsed: true, items: items(children) }
  })
}

const items = (pages: readonly Page[]): SidebarItem[] =>
  pages.map(({ path, title }) => ({ text: title, link: `/${path}` }))
