import { posix } from 'node:path'
import type { Page } from './find-pages.ts'

/** An entry of the sidebar, as VitePress takes it. */
export interface SidebarItem {
  readonly text: string
  readonly link?: string | undefined
  readonly collapsed?: boolean
  readonly items?: readonly SidebarItem[]
}

/** Creates the sidebar: guide, reference and decisions in the order of their index pages, between them packages and project. */
export const makeSidebar = (pages: readonly Page[]): SidebarItem[] => {
  const under = (folder: string) => pages.filter(({ path }) => path.startsWith(`${folder}/`))
  return [
    group('Guide', items(listed('guide', under('guide'))), false),
    group('Reference', nested(listed('reference', under('reference'))), false),
    group('Packages', items(under('packages')), true),
    group('Examples', items([...under('examples'), ...under('benchmarks')]), true),
    group('Project', items(under('project')), true),
    group('Decisions', items(listed('decisions', under('decisions'))), true),
  ].filter(({ link }) => link !== undefined)
}

/** Creates a group whose title leads to its first page: a title that is a link and no button, beside the button that folds it. */
const group = (text: string, [first, ...others]: readonly SidebarItem[], collapsed: boolean): SidebarItem => ({
  text,
  link: first?.link,
  collapsed,
  items: first && !first.link?.endsWith('/index.md') ? [first, ...others] : others,
})

/** Returns the pages of a folder, those that its index page links first, in the order of the links. */
export const listed = (folder: string, pages: readonly Page[]): Page[] => {
  const index = pages.find(({ path }) => path === `${folder}/index.md`)
  if (!index) return [...pages]
  const order = [...index.markdown.matchAll(/^\s*- \[[^\]]*\]\(([^)#]+)/gm)].map(([, target = '']) =>
    posix.join(folder, target),
  )
  const rank = ({ path }: Page) => {
    if (path === index.path) return -1
    const place = order.indexOf(path)
    return place < 0 ? order.length : place
  }
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
