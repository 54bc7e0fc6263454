import type { UssdReply } from '../requests/ussd-request.ts'
import { fits } from '../text/measure.ts'
import { type PageContent, pageAt, pageText } from '../text/paginate.ts'
import { shortenToFit } from '../text/shorten.ts'
import type { FlowState } from './flow-machine.ts'
import type { FlowCall } from './flow-speech.ts'
import type { ScreenView } from './screen-view.ts'

/** Returns the content of a numbered screen's pages; each page shows the keys that work on it. */
export const pageContent = ({ speech, keys, facts }: FlowCall, view: ScreenView, state: FlowState): PageContent => ({
  words: view.words,
  lines: view.options.map(({ key, label }) => `${key}. ${label}`),
  foot: ({ first, last }) => [
    ...(view.back ? [`${keys.back}. ${speech.word('back', state)}`] : []),
    ...(last ? [] : [`${keys.more}. ${speech.word('more', state)}`]),
    ...(first ? [] : [`${keys.previous}. ${speech.word('previous', state)}`]),
    `*. ${speech.word('exit', state)}`,
  ],
  limits: facts.limits,
})

/**
 * Returns the text for the phone, within the limits.
 *
 * @param notice Problem of the last answer. It appears above the screen. If both do not fit, it replaces the text above
 * the options or of the question. If even that does not fit, or there is only text, it is omitted.
 */
export const writeScreen = (call: FlowCall, view: ScreenView, state: FlowState, notice?: string): UssdReply => {
  const { limits } = call.facts
  if (view.form === 'end') return { kind: 'end', text: shortenToFit(view.words, limits) }
  const ways = view.form === 'free' ? writeQuestion(call, view, state, notice) : writePage(call, view, state, notice)
  const text = ways.find(way => fits(way, limits)) ?? shortenToFit(ways.at(-1) ?? '', limits)
  return { kind: 'continue', text }
}

const writePage = (call: FlowCall, view: ScreenView, state: FlowState, notice: string | undefined): string[] => {
  const { page } = pageAt(pageContent(call, view, state), state.page)
  if (notice === undefined) return [pageText(page)]
  return [
    `${notice}\n${pageText(page)}`,
    ...(page.words === '' || page.lines.length === 0 ? [] : [pageText({ ...page, words: notice })]),
    pageText(page),
  ]
}

/** Returns the text of a question. If space is short, Back is omitted first, then Exit. */
const writeQuestion = (
  { speech, keys }: FlowCall,
  view: ScreenView,
  state: FlowState,
  notice: string | undefined,
): string[] => {
  const exit = `*. ${speech.word('exit', state)}`
  const back = view.back ? [`${keys.back}. ${speech.word('back', state)}`] : []
  const withKeys = (words: string) => [[words, ...back, exit], [words, exit], [words]].map(lines => lines.join('\n'))
  return notice === undefined ? withKeys(view.words) : [...withKeys(`${notice}\n${view.words}`), ...withKeys(notice)]
}
