/** One link of a page. */
export interface Link {
  /** As it is written: `../guide/index.md#plugins`. */
  readonly target: string
  /** From 1. */
  readonly line: number
}

/** The page with its code blocks and code spans blanked, line for line. */
const withoutCode = (markdown: string): string[] => {
  let fence: string | undefined
  return markdown.split('\n').map(line => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const isInside = fence !== undefined
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    return isInside || mark ? '' : line.replace(/(`+)[^`].*?\1/g, '')
  })
}

/** The links and images of a page, outside code. */
export const linksOf = (markdown: string): Link[] =>
  withoutCode(markdown).flatMap((line, index) =>
    [...line.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/g)].map(([, inline, reference]) => ({
      target: (inline ?? reference) as string,
      line: index + 1,
    })),
  )

/** The anchors of a page: one for each heading as web hosts of Git make them, and each `id` written as HTML. */
export const anchorsOf = (markdown: string): Set<string> => {
  const anchors = new Set<string>()
  for (const [, id] of markdown.matchAll(/<a id="([^"]+)">/g)) anchors.add(id as string)
  for (const line of markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '').split('\n')) {
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1]
    if (heading !== undefined) anchors.add(freeAnchor(slug(heading), anchors))
  }
  return anchors
}

const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const freeAnchor = (anchor: string, taken: ReadonlySet<string>): string => {
  let free = anchor
  for (let count = 1; taken.has(free); count += 1) free = `${anchor}-${count}`
  return free
}
