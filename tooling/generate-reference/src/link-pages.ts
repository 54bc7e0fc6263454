import { posix } from 'node:path'

/** Pages of Markdown by their paths. */
export type Pages = ReadonlyMap<string, string>

/**
 * Leads each link to an anchor, `[a](#b)`, to the page that has it: the page of the link itself, else the first one.
 * An anchor that no page has stays as it is, for the check of links to report.
 */
export const linkPages = (pages: Pages): Pages => {
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]))
  const pathOf = (anchor: string) => [...anchors].find(([, own]) => own.has(anchor))?.[0]
  return new Map(
    [...pages].map(([path, text]) => [
      path,
      text.replace(/\]\(#([^)]+)\)/g, (link, anchor: string) => {
        const target = anchors.get(path)?.has(anchor) ? path : pathOf(anchor)
        return target === undefined || target === path
          ? link
          : `](${posix.relative(posix.dirname(path), target)}#${anchor})`
      }),
    ]),
  )
}

const anchorsOf = (markdown: string): ReadonlySet<string> =>
  new Set(
    [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      slug(heading),
    ),
  )

/** Returns the anchor of a heading. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')
