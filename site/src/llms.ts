import type { Page } from './find-pages.ts'
import { listed } from './sidebar.ts'

/** Facts about the project at the head of both files. */
export interface LlmsHead {
  readonly version: string
  readonly description: string
}

/** Returns `llms.txt`: the pages with their Markdown addresses, as https://llmstxt.org describes it. */
export const llmsText = (pages: readonly Page[], head: LlmsHead): string => {
  const section = (title: string, some: readonly Page[]) =>
    `## ${title}\n\n${some.map(({ path, title: name, summary }) => `- [${name}](/${path})${summary && `: ${summary}`}`).join('\n')}`
  return `${[
    heading(head),
    'Every page is available as Markdown: replace `.html` by `.md` in its address. `/llms-full.txt` holds the guide, the reference and the package pages in one file.',
    section('Guide', partOf(pages, 'guide')),
    section('Reference', partOf(pages, 'reference')),
    section('Packages', partOf(pages, 'packages')),
    section(
      'Optional',
      ['examples', 'benchmarks', 'project', 'decisions'].flatMap(folder => partOf(pages, folder)),
    ),
  ].join('\n\n')}\n`
}

/** Returns `llms-full.txt`: guide, reference and packages, each page after a line with its address. */
export const llmsFullText = (pages: readonly Page[], head: LlmsHead): string =>
  [
    heading(head),
    ...['guide', 'reference', 'packages'].flatMap(folder =>
      partOf(pages, folder).map(({ path, markdown }) => `<!-- /${path} -->\n\n${markdown.trim()}`),
    ),
    '',
  ].join('\n\n')

const heading = ({ version, description }: LlmsHead): string => `# Sibyl ${version}\n\n> ${description}`

const partOf = (pages: readonly Page[], folder: string): Page[] =>
  listed(
    folder,
    pages.filter(({ path }) => path.startsWith(`${folder}/`)),
  )
