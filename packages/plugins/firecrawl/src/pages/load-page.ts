import type { FetchedPage, FetchPage } from '../fetching/fetch-page.ts'
import { codeBlock, withoutImages } from '../reading/markdown-text.ts'
import type { PageReader, ReadingRequest } from '../reading/page-reader.ts'
import { defaultReadingLimits, type PageText } from '../reading/page-text.ts'
import { type LoadPage, withoutFragment } from './page-library.ts'

/** Creates the function that fetches and converts pages in this process. */
export const createLoadPage =
  ({ fetchPage, reader }: { readonly fetchPage: FetchPage; readonly reader: PageReader }): LoadPage =>
  async (address, wanted) => {
    const fetched = await fetchPage(address, wanted.signal)
    const text = await readText(fetched, reader, wanted)
    return {
      ...text,
      url: withoutFragment(fetched.address),
      status: fetched.status,
      crawlDelay: fetched.crawlDelay,
      isComplete: fetched.isComplete && text.isComplete,
    }
  }

const readText = async (
  { kind, text, address }: FetchedPage,
  reader: PageReader,
  wanted: ReadingRequest,
): Promise<PageText> => {
  if (kind === 'html') return reader.read(text, address, wanted)
  const { maxMarkdown } = defaultReadingLimits
  const cut = text.slice(0, maxMarkdown)
  const markdown = kind === 'text' || cut.trim() === '' ? withoutImages(cut) : codeBlock(cut, kind)
  return { title: '', markdown, isArticle: false, links: [], isComplete: text.length <= maxMarkdown }
}
