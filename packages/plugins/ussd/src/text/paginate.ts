import { addTallies, fits, type Tally, type TextLimits, tallyFits, tallyOf } from './measure.ts'
import { longestPrefix, shortenToFit } from './shorten.ts'

/** A message of a screen with several. */
export interface Page {
  /** The part of the text on this page; may be empty. */
  readonly words: string
  readonly lines: readonly string[]
  /** The last lines, such as `98. More`. */
  readonly foot: readonly string[]
}

/** Content to lay out on pages. */
export interface PageContent {
  /** Split between words, and within a word that is longer than a page. */
  readonly words: string
  /** Never split; a line that is longer than a page is shortened. @default none */
  readonly lines?: readonly string[]
  /** The last lines of a page. Omitted if they leave no space for a single character. @default none */
  readonly foot?: (place: { readonly first: boolean; readonly last: boolean }) => readonly string[]
  readonly limits: TextLimits
}

/** Lays text and lines out on a minimum of pages: each fits one message, and nothing is lost or repeated. */
export const paginate = (content: PageContent): readonly Page[] => [...pagesOf(content)]

/** Returns the page of an index from 0, or the last page if there are fewer; `index` is that page's. */
export const pageAt = (content: PageContent, wanted: number): { readonly page: Page; readonly index: number } => {
  let index = -1
  let page: Page = { words: '', lines: [], foot: [] }
  for (page of pagesOf(content)) {
    index += 1
    if (index === wanted) break
  }
  return { page, index }
}

function* pagesOf({ words, lines = [], foot = () => [], limits }: PageContent): Generator<Page> {
  const whole = { words: words.trim(), lines, foot: foot({ first: true, last: true }) }
  if (fits(pageText(whole), limits)) {
    yield whole
    return
  }
  const pieces = [...wordsOf(words), ...lines.map(linePiece)]
  let from = 0
  do {
    const first = from === 0
    const last = cutPage(pieces, from, foot({ first, last: true }), limits)
    const page = last.to === pieces.length ? last : cutPage(pieces, from, foot({ first, last: false }), limits)
    const taken = page.to > from || from === pieces.length ? page : splitPiece(pieces, from, page.foot, limits)
    yield pageOf(pieces.slice(from, taken.to), taken.foot)
    from = taken.to
  } while (from < pieces.length)
}

export const pageText = ({ words, lines, foot }: Page): string =>
  [...(words === '' ? [] : [words]), ...lines, ...foot].join('\n')

/** A word, a part of one, or a line. `glue` separates it from the previous piece on the same page. */
interface Piece {
  readonly kind: 'word' | 'line'
  readonly glue: string
  readonly text: string
}

interface CutPage {
  /** The index of the first piece of the next page. */
  readonly to: number
  readonly foot: readonly string[]
}

const wordsOf = (words: string): Piece[] =>
  Array.from(words.trimEnd().matchAll(/(\s*)(\S+)/g), ([, glue = '', text = '']) => ({ kind: 'word', glue, text }))

const linePiece = (text: string): Piece => ({ kind: 'line', glue: '\n', text })

/** Returns the tally of the last lines, with the line break above each. */
const footTally = (foot: readonly string[]): Tally => tallyOf(foot.map(line => `\n${line}`).join(''))

const cutPage = (pieces: readonly Piece[], from: number, foot: readonly string[], limits: TextLimits): CutPage => {
  let tally = footTally(foot)
  let to = from
  while (to < pieces.length) {
    const { glue, text } = pieces[to]!
    tally = addTallies(tally, tallyOf(to === from ? text : glue + text))
    if (!tallyFits(tally, limits)) break
    to += 1
  }
  return { to, foot }
}

/** Splits the piece at `from`, which is longer than a page, into one that fits and the rest; a line is shortened. */
const splitPiece = (pieces: Piece[], from: number, foot: readonly string[], limits: TextLimits): CutPage => {
  const piece = pieces[from]!
  const beside = footTally(foot)
  const beginning = longestPrefix(piece.text, Math.max(limits.gsm7, limits.ucs2), tally =>
    tallyFits(addTallies(tally, beside), limits),
  )
  if (beginning === '' && foot.length > 0) return splitOrCut(pieces, from, limits)
  if (piece.kind === 'line') {
    pieces[from] = { ...piece, text: shortenToFit(piece.text, limits, beside) }
    return { to: from + 1, foot }
  }
  const [character = ''] = piece.text
  const head = beginning || character
  pieces.splice(from, 1, { ...piece, text: head })
  if (head.length < piece.text.length)
    pieces.splice(from + 1, 0, { ...piece, glue: '', text: piece.text.slice(head.length) })
  return { to: from + 1, foot }
}

/** Splits a piece for a page whose last lines leave no space; they are omitted. */
const splitOrCut = (pieces: Piece[], from: number, limits: TextLimits): CutPage => {
  const page = cutPage(pieces, from, [], limits)
  return page.to > from ? page : splitPiece(pieces, from, [], limits)
}

const pageOf = (pieces: readonly Piece[], foot: readonly string[]): Page => {
  const words = pieces.filter(({ kind }) => kind === 'word')
  return {
    words: words.map(({ glue, text }, index) => (index === 0 ? text : glue + text)).join(''),
    lines: pieces.filter(({ kind }) => kind === 'line').map(({ text }) => text),
    foot,
  }
}
