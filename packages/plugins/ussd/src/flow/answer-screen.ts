import type { JsonValue } from '@sibyl/protocol'
import { pageAt } from '../text/paginate.ts'
import type { InputScreen, SecretScreen, Target } from './flow.ts'
import type { FlowFacts, FlowState } from './flow-machine.ts'
import type { FlowCall } from './flow-speech.ts'
import { goBack, screenOf } from './flow-trail.ts'
import { pageContent } from './screen-layout.ts'
import { contextOf, type ScreenView } from './screen-view.ts'

/** Result of one answer at its screen. */
export type Answered =
  /** An invalid answer; `notice` is the reason. */
  | { readonly kind: 'refused'; readonly notice: string }
  /** A move to another page, or back. */
  | { readonly kind: 'moved'; readonly state: FlowState }
  /** A move forward: `state` contains the answer, and is still at its screen. */
  | { readonly kind: 'leads'; readonly state: FlowState; readonly to: string }

/** Maximum length of a free answer, in UTF-16 code units. */
const longestAnswer = 182

export const answerScreen = (call: FlowCall, view: ScreenView, state: FlowState, token: string): Answered => {
  const { flow, keys, speech, facts } = call
  if (view.back && token === keys.back) return { kind: 'moved', state: goBack(flow, state) }
  const screen = screenOf(flow, state.screen)
  if (screen?.kind === 'input' || screen?.kind === 'secret') return answerQuestion(call, screen, state, token)
  const option = view.options.find(({ key }) => key === token)
  if (option !== undefined) {
    const { set, to } = option
    return leads(set === undefined ? state : withValue(state, set.name, set.value), to, facts)
  }
  const turned =
    token === keys.more || token === keys.previous
      ? turnPage(call, view, state, token === keys.more ? 1 : -1)
      : undefined
  return turned ?? { kind: 'refused', notice: speech.word('notAnOption', state) }
}

const answerQuestion = (
  { speech, facts }: FlowCall,
  screen: InputScreen | SecretScreen,
  state: FlowState,
  token: string,
): Answered => {
  if (token === '' || token.length > longestAnswer) {
    return { kind: 'refused', notice: speech.word('notAnOption', state) }
  }
  const context = contextOf(state, facts)
  if (screen.kind === 'secret') {
    const problem = screen.check?.(token, { ...context, secrets: state.secrets })
    if (problem !== undefined) return { kind: 'refused', notice: speech.quote(problem, state) }
    return leads({ ...state, secrets: { ...state.secrets, [screen.into]: token } }, screen.to, facts)
  }
  const parsed = screen.parse(token, context)
  if ('problem' in parsed) return { kind: 'refused', notice: speech.quote(parsed.problem, state) }
  return leads(withValue(state, screen.into, parsed.value), screen.to, facts)
}

const turnPage = (call: FlowCall, view: ScreenView, state: FlowState, by: 1 | -1): Answered | undefined => {
  const content = pageContent(call, view, state)
  const from = pageAt(content, state.page).index
  const page = from + by
  return page >= 0 && pageAt(content, page).index === page ? { kind: 'moved', state: { ...state, page } } : undefined
}

const leads = (state: FlowState, to: Target, facts: FlowFacts): Answered => ({
  kind: 'leads',
  state,
  to: typeof to === 'string' ? to : to(contextOf(state, facts)),
})

const withValue = (state: FlowState, name: string, value: JsonValue): FlowState => ({
  ...state,
  values: { ...state.values, [name]: value },
})
