import { posix } from 'node:path'
import { anchorsOf, linksOf } from './markdown.ts'

/** The files of the checkout. */
export interface Checkout {
  /** Whether a file or folder exists, relative to the checkout. */
  exists(path: string): boolean
  read(path: string): string
}

/**
 * Checks the links of a page that lead to files of the checkout or to headings.
 *
 * @param page Relative to the checkout.
 * @returns `docs/a.md:3 leads to ...`, one a dead link.
 */
export const checkLinks = (page: string, checkout: Checkout): string[] => {
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsIn = (file: string) => anchors.get(file) ?? anchors.set(file, anchorsOf(checkout.read(file))).get(file)!
  return linksOf(checkout.read(page)).flatMap(({ target, line }) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return []
    const [path = '', anchor] = decodeURI(target).split('#')
    const file = path === '' ? page : posix.join(posix.dirname(page), path)
    if (file.startsWith('../') || path.startsWith('/')) return [`${page}:${line} leads out of the checkout: ${target}`]
    if (!checkout.exists(file)) return [`${page}:${line} leads to a file that is not there: ${target}`]
    return anchor && file.endsWith('.md') && !anchorsIn(file).has(anchor)
      ? [`${page}:${line} leads to a heading that is not there: ${target}`]
      : []
  })
}
