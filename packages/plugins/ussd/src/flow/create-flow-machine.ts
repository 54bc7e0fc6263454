import type { JsonValue } from '@sibyl/protocol'
import type { UssdReply } from '../requests/ussd-request.ts'
import { cleanInput } from '../text/clean-input.ts'
import { pageAt } from '../text/paginate.ts'
import { checkFlow, flowInvalid } from './check-flow.ts'
import type { ActionResult, ActionScreen, Flow, InputScreen, SecretScreen, Target } from './flow.ts'
import type { ActionOutcome, FlowFacts, FlowMachine, FlowState, FlowStep } from './flow-machine.ts'
import { type FlowCall, type PreparedFlow, prepareFlow } from './flow-speech.ts'
import { atScreen, endForm, enterScreen, goBack, screenOf } from './flow-trail.ts'
import { pageContent, writeScreen } from './screen-layout.ts'
import { contextOf, endView, type ScreenView, viewScreen } from './screen-view.ts'

/**
 * Creates the machine that moves sessions through a flow.
 *
 * @throws `flow_invalid`, with every problem of the flow
 */
export const createFlowMachine = (flow: Flow): FlowMachine => {
  checkFlow(flow)
  const prepared = prepareFlow(flow)
  const { speech } = prepared
  const callOf = (facts: FlowFacts): FlowCall => ({ ...prepared, facts })
  return {
    start: flow.start,
    languages: speech.languages,
    begin: (facts, { language }) => begin(callOf(facts), speech.language(language)),
    input: (state, typed, facts, seen = true) => input(callOf(facts), state, typed, seen),
    show: (state, facts) => replyOf(callOf(facts), state),
    afterAction: (state, outcome, facts) => afterAction(callOf(facts), state, outcome),
    late: (state, facts) => replyOf(callOf(facts), state),
    offerResume: (state, facts) => writeScreen(callOf(facts), resumeView(prepared, state), state),
  }
}

/** Maximum number of consecutive actions without a screen. */
const longestChain = 8

const begin = (call: FlowCall, language = call.speech.languages[0]!): FlowStep => {
  const { start } = call.flow
  const state: FlowState = { screen: start, page: 0, trail: [], values: {}, secrets: {}, language }
  const screen = screenOf(call.flow, start)
  return screen?.kind === 'action' ? run(state, screen, 1) : show(call, state)
}

const input = (call: FlowCall, from: FlowState, typed: string, seen: boolean): FlowStep => {
  if (screenOf(call.flow, from.screen) === undefined) return begin(call, call.speech.language(from.language))
  let state = from
  let left: string | undefined = cleanInput(typed)
  let passedOn = !seen
  while (left !== undefined) {
    const view = viewScreen(call, state)
    if (view.form === 'end') break
    const answer = nextAnswer(left, view.form)
    if (answer.kind === 'exit') return exit(call, state, 'user')
    if (passedOn && isGuarded(call, state)) break
    const blind = passedOn || answer.rest !== undefined
    const isGap = answer.token === '' && answer.rest !== undefined
    left = answer.rest
    passedOn = true
    if (isGap) continue
    const answered = answerScreen(call, view, state, answer.token)
    if (answered.kind === 'refused' && left === '*') continue
    if (answered.kind === 'refused') return show(call, state, answered.notice)
    if (answered.kind === 'moved') {
      state = answered.state
      continue
    }
    if (answered.to === 'exit') return exit(call, answered.state, 'flow')
    const target = screenAt(call, answered.to, state.screen)
    if (target.kind !== 'action') {
      state = enterScreen(call.flow, answered.state, answered.to)
      continue
    }
    if (answered.to === state.screen) return { kind: 'run', state, action: target }
    if (blind && target.effect !== 'read') break
    return run(enterScreen(call.flow, answered.state, answered.to), target, 1, blind ? (left ?? '') : undefined)
  }
  return show(call, state)
}

const afterAction = (call: FlowCall, state: FlowState, outcome: ActionOutcome): FlowStep => {
  const { flow } = call
  const action = screenOf(flow, state.screen)
  if (action?.kind !== 'action') return show(call, state)
  if (outcome.kind !== 'done') {
    const ended = endForm(flow, state, outcome.kind === 'unknown' ? 'done' : 'none')
    if (action.failed === undefined) return show(call, { ...ended, outcome: outcome.kind })
    const { failed } = action
    return leave(call, ended, typeof failed === 'string' ? failed : failed(contextOf(ended, call.facts)))
  }
  const { result } = outcome
  const ended = endForm(flow, withResult(call, state, result), action.effect === 'read' ? 'none' : 'done')
  return leave(call, ended, result.to, state.ahead)
}

/** Continues after a completed action. `ahead` is the earlier input, if it was typed ahead. */
const leave = (call: FlowCall, state: FlowState, to: string, ahead?: string): FlowStep => {
  if (to === 'exit') return exit(call, state, 'flow')
  const target = screenAt(call, to, state.screen)
  if (target.kind !== 'action') {
    const entered = enterScreen(call.flow, state, to)
    return ahead ? input(call, entered, ahead, false) : show(call, entered)
  }
  const chain = (state.chain ?? 1) + 1
  if (chain > longestChain) return show(call, { ...state, outcome: 'failed' })
  if (ahead !== undefined && target.effect !== 'read') return show(call, goBack(call.flow, state))
  return run(enterScreen(call.flow, state, to), target, chain, ahead)
}

const run = (state: FlowState, action: ActionScreen, chain: number, ahead?: string): FlowStep => ({
  kind: 'run',
  state: ahead === undefined ? { ...state, chain } : { ...state, chain, ahead },
  action,
})

const exit = (call: FlowCall, state: FlowState, endedBy: 'flow' | 'user'): FlowStep => {
  const goodbye = endView(call.speech.word('goodbye', state))
  return { kind: 'show', state: closed(state), reply: writeScreen(call, goodbye, state), endedBy }
}

const show = (call: FlowCall, state: FlowState, notice?: string): FlowStep => {
  const reply = replyOf(call, state, notice)
  if (reply.kind === 'end') return { kind: 'show', state: closed(state), reply, endedBy: 'flow' }
  return { kind: 'show', state, reply }
}

const replyOf = (call: FlowCall, state: FlowState, notice?: string): UssdReply =>
  writeScreen(call, viewScreen(call, state), state, notice)

const resumeView = ({ speech }: PreparedFlow, state: FlowState): ScreenView => ({
  form: 'numbered',
  words: speech.word('resume', state),
  options: [
    { key: '1', label: speech.word('yes', state), to: state.screen },
    { key: '2', label: speech.word('no', state), to: state.screen },
  ],
  back: false,
})

const closed = (state: FlowState): FlowState => ({ ...atScreen(state, state.screen), trail: [], secrets: {} })

const withResult = ({ speech }: FlowCall, state: FlowState, result: ActionResult): FlowState => {
  const values = Object.entries({ ...state.values, ...result.values }).filter(([, value]) => value !== null)
  const customerId = result.customerId === undefined ? state.customerId : (result.customerId ?? undefined)
  return {
    ...state,
    values: Object.fromEntries(values),
    language: speech.language(result.language) ?? state.language,
    ...(customerId === state.customerId ? {} : { customerId, trail: [] }),
  }
}

/** Returns whether a screen accepts input only from a caller who has seen it. */
const isGuarded = ({ flow }: FlowCall, { screen }: FlowState): boolean =>
  ['secret', 'confirm'].includes(screenOf(flow, screen)?.kind ?? '')

const screenAt = ({ flow }: FlowCall, name: string, from: string) => {
  const screen = screenOf(flow, name)
  if (screen === undefined) throw flowInvalid([`screens.${from}: leads to "${name}", and there is no such screen`])
  return screen
}

export type TypedAnswer =
  | { readonly kind: 'exit' }
  /** `rest` follows its `*`; undefined if empty. */
  | { readonly kind: 'answer'; readonly token: string; readonly rest: string | undefined }

/**
 * Splits the next answer from the input. At a screen with numbered answers it ends at the next `*`; a `*` at its start
 * is the exit (`**` too: the exit, and the input after it); `*5` is an empty answer before a 5. At a free question the
 * whole input is the answer, except a lone `*`.
 */
const nextAnswer = (typed: string, form: 'numbered' | 'free'): TypedAnswer => {
  if (typed === '*') return { kind: 'exit' }
  if (form === 'free') return { kind: 'answer', token: typed, rest: undefined }
  if (typed.startsWith('**')) return { kind: 'exit' }
  const end = typed.indexOf('*')
  if (end < 0) return { kind: 'answer', token: typed, rest: undefined }
  return { kind: 'answer', token: typed.slice(0, end).trim(), rest: typed.slice(end + 1).trim() || undefined }
}

/** Result of one answer at its screen. */
type Answered =
  /** An invalid answer; `notice` is the reason. */
  | { readonly kind: 'refused'; readonly notice: string }
  /** A move to another page, or back. */
  | { readonly kind: 'moved'; readonly state: FlowState }
  /** A move forward: `state` contains the answer, and is still at its screen. */
  | { readonly kind: 'leads'; readonly state: FlowState; readonly to: string }

/** Maximum length of a free answer, in UTF-16 code units. */
const longestAnswer = 182

const answerScreen = (call: FlowCall, view: ScreenView, state: FlowState, token: string): Answered => {
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
