import { Readability } from '@mozilla/readability'
import JSDOMParser from '@mozilla/readability/JSDOMParser.js'
import { type CleanPage, escapeText } from './clean-html.ts'

/** The main content of a page. */
export interface FoundArticle {
  /** The article, or the whole body. */
  readonly element: Element
  readonly isArticle: boolean
  readonly title: string
  readonly byline: string | undefined
}

/** Number of children of an element above which Readability is too slow; its time grows with their square. */
const widestForReadability = 8_000

/** Minimum length of an article that is less than half of the page, in characters. */
const leastArticle = 500

/** Finds the article of a page; the whole body without an article, or if requested. */
export const findArticle = (page: CleanPage, wantsWhole: boolean): FoundArticle => {
  const whole = { element: parse(page).body, isArticle: false, title: page.title, byline: undefined }
  if (wantsWhole || page.widest > widestForReadability) return whole
  // Readability modifies its input.
  const options = { serializer: (node: Node) => node, disableJSONLD: true, keepClasses: true }
  const found = new Readability(parse(page), options).parse()
  const element = found?.content
  if (!found || !element) return whole
  const title = found.title || page.title
  const byline = found.byline?.trim() || undefined
  const length = found.length ?? 0
  if (length < leastArticle && length < page.textLength / 2) return { ...whole, title, byline }
  return { element: element as Element, isArticle: true, title, byline }
}

const parse = ({ markup, title, meta }: CleanPage): Document => {
  const metas = [...meta].map(([name, content]) => `<meta name="${attribute(name)}" content="${attribute(content)}"/>`)
  const head = `<head><title>${escapeText(title)}</title>${metas.join('')}</head>`
  return new JSDOMParser().parse(`<html>${head}<body>${markup}</body></html>`)
}

const attribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
