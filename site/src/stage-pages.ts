import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Page } from './find-pages.ts'
import { replaceLinks } from './markdown-links.ts'

/** Options for `stagePages`. */
export interface StageOptions {
  readonly checkout: string
  /** The folder for the pages, empty. */
  readonly folder: string
  /** The web address of the repository; without one, links to sources become plain text. */
  readonly repository: string | undefined
}

/** Writes the pages with links that work on the site, and copies the images that they show. */
export const stagePages = (pages: readonly Page[], { checkout, folder, repository }: StageOptions): void => {
  const paths = new Map(pages.map(({ source, path }) => [source, path]))
  for (const page of pages) {
    const markdown = replaceLinks(page.markdown, target => {
      if (/^[a-z][a-z0-9+.-]*:|^#/i.test(target)) return target
      const [path = '', anchor] = target.split('#')
      const source = posix.join(posix.dirname(page.source), path)
      const hash = anchor === undefined ? '' : `#${anchor}`
      const to =
        paths.get(source) ??
        paths.get(posix.join(source, 'README.md')) ??
        (source === 'README.md' ? 'index.md' : undefined)
      if (to) return relative(page.path, to) + hash
      if (/\.(svg|png)$/.test(source) && existsSync(join(checkout, source))) {
        const image = source.replace(/^docs\//, '')
        copy(join(checkout, source), join(folder, image))
        return relative(page.path, image)
      }
      return repository && `${repository}/blob/main/${source}${hash}`
    })
    write(join(folder, page.path), `${frontmatter(page, { checkout, repository })}${markdown}`)
  }
}

const frontmatter = (
  { source, title, summary }: Page,
  { checkout, repository }: Pick<StageOptions, 'checkout' | 'repository'>,
): string => {
  const facts = {
    title,
    description: summary,
    ...(existsSync(join(checkout, source)) && {
      source,
      ...(repository && { edit: `${repository}/edit/main/${source}` }),
    }),
  }
  return `---\n${Object.entries(facts)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')}---\n\n`
}

/** Returns a page without its frontmatter, as it is served beside the HTML. */
export const withoutFrontmatter = (markdown: string): string => markdown.replace(/^---\n[\s\S]*?\n---\n+/, '')

const relative = (from: string, to: string): string => {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}
