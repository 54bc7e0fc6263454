import type { UssdReply } from '../requests/ussd-request.ts'
import { fits } from '../text/measure.ts'
import { type PageContent, pageAt, pageText } from '../text/paginate.ts'
import { shortenToFit } from '../text/shorten.ts'
import type { TextLimits } from '../text/text-limits.ts'
import type { FlowState } from './flow-machine.ts'
import type { FlowParts } from './flow-speech.ts'
import type { ScreenView } from './screen-view.ts'

/** What the pages of a numbered screen hold: each has the keys that work on it, Back, More, Previous, Exit. */
export const pageContent = (
  { speech, keys }: FlowParts,
  view: ScreenView,
  state: FlowState,
  limits: TextLimits,
): PageContent => ({
  words: view.words,
  lines: view.options.map(({ key, label }) => `${key}. ${label}`),
  foot: ({ first, last }) => [
    ...(view.back ? [`${keys.back}. ${speech.word('back', state)}`] : []),
    ...(last ? [] : [`${keys.more}. ${speech.word('more', state)}`]),
    ...(first ? [] : [`${keys.previous}. ${speech.word('previous', state)}`]),
    `*. ${speech.word('exit', state)}`,
  ],
  limits,
})

/**
 * Writes what the phone shows; never more than the limits allow.
 *
 * @param notice What was wrong with the last answer. It stands above the screen; where both do not fit, in the place of the
 *   words above options or of the question's, and where even that does not fit, or there are words alone, it is left out.
 */
export const writeScreen = (
  parts: FlowParts,
  view: ScreenView,
  state: FlowState,
  limits: TextLimits,
  notice?: string,
): UssdReply => {
  if (view.form === 'end') return { kind: 'end', text: shortenToFit(view.words, limits) }
  const ways =
    view.form === 'free' ? writeQuestion(parts, view, state, notice) : writePage(parts, view, state, limits, notice)
  const text = ways.find(way => fits(way, limits)) ?? ways.at(-1) ?? ''
  return { kind: 'continue', text: shortenToFit(text, limits) }
}

const writePage = (
  parts: FlowParts,
  view: ScreenView,
  state: FlowState,
  limits: TextLimits,
  notice: string | undefined,
): string[] => {
  const { page } = pageAt(pageContent(parts, view, state, limits), state.page)
  if (notice === undefined) return [pageText(page)]
  return [
    `${notice}\n${pageText(page)}`,
    ...(page.words === '' || page.lines.length === 0 ? [] : [pageText({ ...page, words: notice })]),
    pageText(page),
  ]
}

/** A question keeps its words before it keeps the lines that name its keys, and Exit longer than Back. */
const writeQuestion = (
  { speech, keys }: FlowParts,
  view: ScreenView,
  state: FlowState,
  notice: string | undefined,
): string[] => {
  const exit = `*. ${speech.word('exit', state)}`
  const back = view.back ? [`${keys.back}. ${speech.word('back', state)}`] : []
  const withKeys = (words: string) => [[words, ...back, exit], [words, exit], [words]].map(lines => lines.join('\n'))
  return notice === undefined ? withKeys(view.words) : [...withKeys(`${notice}\n${view.words}`), ...withKeys(notice)]
}
