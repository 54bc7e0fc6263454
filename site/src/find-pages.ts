import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A page of the site. */
export interface Page {
  /** The Markdown file in the checkout: `docs/guide/index.md`; a generated page is not there. */
  readonly source: string
  /** The Markdown file of the site: `guide/index.md`. */
  readonly path: string
  readonly title: string
  /** The first sentence of the page. */
  readonly summary: string
  readonly markdown: string
}

const patterns = [
  'docs/**/*.md',
  '{CHANGELOG,CONTRIBUTING,AGENTS,SECURITY,CODE_OF_CONDUCT}.md',
  '{packages,packages/plugins,examples}/*/README.md',
  'benchmarks/**/README.md',
]

/**
 * Reads the pages of the site from a checkout, in the order of their paths.
 *
 * @param generated Pages that are not in the checkout, or that replace those of it, by source.
 */
export const findPages = (checkout: string, generated: ReadonlyMap<string, string> = new Map()): Page[] => {
  const committed = patterns
    .flatMap(pattern => globSync(pattern, { cwd: checkout, exclude: name => /^(node_modules|dist)$/.test(name) }))
    .map(source => source.replaceAll('\\', '/'))
  return [...new Set([...committed, ...generated.keys()])]
    .map(source => pageOf(source, generated.get(source) ?? readFileSync(join(checkout, source), 'utf8')))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

const pageOf = (source: string, markdown: string): Page => ({
  source,
  path: sitePath(source),
  title: titleOf(markdown),
  summary: summaryOf(markdown),
  markdown,
})

/** Returns the place on the site: docs without their folder, a README as the index of its folder. */
const sitePath = (source: string): string => {
  const path = source.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
  return path.includes('/') ? path : posix.join('project', path.toLowerCase().replaceAll('_', '-'))
}

const titleOf = (markdown: string): string => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? '')

const summaryOf = (markdown: string): string => {
  const body = markdown.slice(markdown.indexOf('\n', markdown.indexOf('# '))).replace(/^```[\s\S]*?^```/gm, '')
  const paragraph = body.split(/\n{2,}/).find(text => /^[\p{L}`*[]/u.test(text.trim())) ?? ''
  const text = plain(paragraph)
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

/** Returns the text of a line of Markdown on one line, without links and marks. */
export const plain = (markdown: string): string =>
  markdown
    .replace(/\s+/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
