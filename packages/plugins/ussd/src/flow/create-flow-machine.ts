import type { UssdReply } from '../requests/ussd-request.ts'
import { cleanInput } from '../text/clean-input.ts'
import { answerScreen } from './answer-screen.ts'
import { checkFlow, flowInvalid } from './check-flow.ts'
import type { ActionResult, ActionScreen, Flow } from './flow.ts'
import type { ActionOutcome, FlowFacts, FlowMachine, FlowState, FlowStep } from './flow-machine.ts'
import { type PreparedFlow, prepareFlow } from './flow-speech.ts'
import { atScreen, endForm, enterScreen, goBack, screenOf } from './flow-trail.ts'
import { writeScreen } from './screen-layout.ts'
import { contextOf, type ScreenView, viewScreen } from './screen-view.ts'

/**
 * Makes the machine that moves sessions through a flow.
 *
 * @throws `flow_invalid`, with every fault of the flow
 * @example
 * const machine = createFlowMachine(flow)
 * const step = machine.begin(facts, {}) // { kind: 'show', state, reply: { kind: 'continue', text: 'Welcome\n1. …' } }
 */
export const createFlowMachine = (flow: Flow): FlowMachine => {
  checkFlow(flow)
  const prepared = prepareFlow(flow)
  const { speech } = prepared
  return {
    languages: speech.languages,
    begin: (facts, { language }) => begin(prepared, facts, speech.language(language)),
    take: (state, typed, facts, seen = true) => take(prepared, state, typed, facts, seen),
    show: (state, facts) => replyOf(prepared, state, facts),
    afterAction: (state, outcome, facts) => afterAction(prepared, state, outcome, facts),
    late: (state, facts) => replyOf(prepared, state, facts),
    offerResume: (state, facts) => writeScreen(prepared, resumeView(prepared, state), state, facts.limits),
  }
}

/** Most actions in a row without a screen between them. */
const longestChain = 8

const begin = (prepared: PreparedFlow, facts: FlowFacts, language = prepared.speech.languages[0]!): FlowStep => {
  const { start } = prepared.flow
  const state: FlowState = { screen: start, page: 0, trail: [], values: {}, secrets: {}, language }
  const screen = screenOf(prepared.flow, start)
  return screen?.kind === 'action' ? run(state, screen, 1) : show(prepared, state, facts)
}

const take = (prepared: PreparedFlow, from: FlowState, typed: string, facts: FlowFacts, seen: boolean): FlowStep => {
  if (screenOf(prepared.flow, from.screen) === undefined)
    return begin(prepared, facts, prepared.speech.language(from.language))
  let state = from
  let left: string | undefined = cleanInput(typed)
  let passedOn = !seen
  while (left !== undefined) {
    const view = viewScreen(prepared, state, facts)
    if (view.form === 'end') break
    const answer = nextAnswer(left, view.form)
    if (answer.kind === 'exit') return exit(prepared, state, facts)
    if (passedOn && isGuarded(prepared, state)) break
    const blind = passedOn || answer.rest !== undefined
    const isGap = answer.token === '' && answer.rest !== undefined
    left = answer.rest
    passedOn = true
    if (isGap) continue
    const answered = answerScreen(prepared, view, state, answer.token, facts)
    if (answered.kind === 'refused' && left === '*') continue
    if (answered.kind === 'refused') return show(prepared, state, facts, answered.notice)
    if (answered.kind === 'moved') {
      state = answered.state
      continue
    }
    if (answered.to === 'exit') return exit(prepared, answered.state, facts)
    const target = screenAt(prepared, answered.to, state.screen)
    if (target.kind !== 'action') {
      state = enterScreen(prepared.flow, answered.state, answered.to)
      continue
    }
    if (answered.to === state.screen) return { kind: 'run', state, action: target }
    if (blind && target.effect !== 'read') break
    return run(enterScreen(prepared.flow, answered.state, answered.to), target, 1, blind ? (left ?? '') : undefined)
  }
  return show(prepared, state, facts)
}

const afterAction = (prepared: PreparedFlow, state: FlowState, outcome: ActionOutcome, facts: FlowFacts): FlowStep => {
  const { flow } = prepared
  const action = screenOf(flow, state.screen)
  if (action?.kind !== 'action') return show(prepared, state, facts)
  if (outcome.kind !== 'done') {
    const ended = endForm(flow, state, outcome.kind === 'unknown' ? 'done' : 'none')
    if (action.failed === undefined) return show(prepared, { ...ended, outcome: outcome.kind }, facts)
    const { failed } = action
    return leave(prepared, ended, typeof failed === 'string' ? failed : failed(contextOf(ended, facts)), facts)
  }
  const { result } = outcome
  const ended = endForm(flow, withResult(prepared, state, result), action.effect === 'read' ? 'none' : 'done')
  return leave(prepared, ended, result.to, facts, state.ahead)
}

/** Leads from an action that has ended. `ahead` is what was typed before it ran, if that was typed ahead. */
const leave = (prepared: PreparedFlow, state: FlowState, to: string, facts: FlowFacts, ahead?: string): FlowStep => {
  if (to === 'exit') return exit(prepared, state, facts)
  const target = screenAt(prepared, to, state.screen)
  if (target.kind !== 'action') {
    const entered = enterScreen(prepared.flow, state, to)
    return ahead ? take(prepared, entered, ahead, facts, false) : show(prepared, entered, facts)
  }
  const chain = (state.chain ?? 1) + 1
  if (chain > longestChain) return show(prepared, { ...state, outcome: 'failed' }, facts)
  if (ahead !== undefined && target.effect !== 'read') return show(prepared, goBack(prepared.flow, state), facts)
  return run(enterScreen(prepared.flow, state, to), target, chain, ahead)
}

const run = (state: FlowState, action: ActionScreen, chain: number, ahead?: string): FlowStep => ({
  kind: 'run',
  state: ahead === undefined ? { ...state, chain } : { ...state, chain, ahead },
  action,
})

const exit = (prepared: PreparedFlow, state: FlowState, facts: FlowFacts): FlowStep => {
  const goodbye: ScreenView = { form: 'end', words: prepared.speech.word('goodbye', state), options: [], back: false }
  return { kind: 'show', state: closed(state), reply: writeScreen(prepared, goodbye, state, facts.limits) }
}

const show = (prepared: PreparedFlow, state: FlowState, facts: FlowFacts, notice?: string): FlowStep => {
  const reply = replyOf(prepared, state, facts, notice)
  return { kind: 'show', state: reply.kind === 'end' ? closed(state) : state, reply }
}

const replyOf = (prepared: PreparedFlow, state: FlowState, facts: FlowFacts, notice?: string): UssdReply =>
  writeScreen(prepared, viewScreen(prepared, state, facts), state, facts.limits, notice)

const resumeView = ({ speech }: PreparedFlow, state: FlowState): ScreenView => ({
  form: 'numbered',
  words: speech.word('resume', state),
  options: [
    { key: '1', label: speech.word('yes', state), to: state.screen },
    { key: '2', label: speech.word('no', state), to: state.screen },
  ],
  back: false,
})

/** The state of a session that has ended. */
const closed = (state: FlowState): FlowState => ({ ...atScreen(state, state.screen), trail: [], secrets: {} })

const withResult = ({ speech }: PreparedFlow, state: FlowState, result: ActionResult): FlowState => {
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
const isGuarded = ({ flow }: PreparedFlow, { screen }: FlowState): boolean =>
  ['secret', 'confirm'].includes(screenOf(flow, screen)?.kind ?? '')

const screenAt = ({ flow }: PreparedFlow, name: string, from: string) => {
  const screen = screenOf(flow, name)
  if (screen === undefined) throw flowInvalid([`screens.${from}: leads to "${name}", and there is no such screen`])
  return screen
}

/** The next answer of what was typed, or that it is the exit. */
export type TypedAnswer =
  | { readonly kind: 'exit' }
  /** `rest` is what follows its `*`; undefined for nothing. */
  | { readonly kind: 'answer'; readonly token: string; readonly rest: string | undefined }

/**
 * Takes the next answer off what was typed. At a screen with numbered answers it ends at the next `*`, and a `*` where it
 * would begin is the exit (`**` too: the exit, and what was typed after it); `*5` is an empty answer before a 5. At a free
 * question all of it is the answer, except a `*` alone.
 */
export const nextAnswer = (typed: string, form: 'numbered' | 'free'): TypedAnswer => {
  if (typed === '*') return { kind: 'exit' }
  if (form === 'free') return { kind: 'answer', token: typed, rest: undefined }
  if (typed.startsWith('**')) return { kind: 'exit' }
  const end = typed.indexOf('*')
  if (end < 0) return { kind: 'answer', token: typed, rest: undefined }
  return { kind: 'answer', token: typed.slice(0, end).trim(), rest: typed.slice(end + 1).trim() || undefined }
}
