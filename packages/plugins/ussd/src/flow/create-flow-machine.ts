import type { UssdReply } from '../requests/ussd-request.ts'
import { cleanInput } from '../text/clean-input.ts'
import { answerScreen } from './answer-screen.ts'
import { checkFlow } from './check-flow.ts'
import type { ActionResult, ActionScreen, Flow } from './flow.ts'
import { FlowInvalidError } from './flow-invalid-error.ts'
import type { ActionOutcome, FlowFacts, FlowMachine, FlowState, FlowStep } from './flow-machine.ts'
import { createFlowParts, type FlowParts } from './flow-speech.ts'
import { atScreen, endForm, enterScreen, goBack, screenOf } from './flow-trail.ts'
import { writeScreen } from './screen-layout.ts'
import { contextOf, type ScreenView, viewScreen } from './screen-view.ts'

/**
 * Makes the machine that moves sessions through a flow.
 *
 * @throws FlowInvalidError `flow_invalid`, with every fault of the flow
 * @example
 * const machine = createFlowMachine(flow)
 * const step = machine.begin(facts, {}) // { kind: 'show', state, reply: { kind: 'continue', text: 'Welcome\n1. …' } }
 */
export const createFlowMachine = (flow: Flow): FlowMachine => {
  checkFlow(flow)
  const parts = createFlowParts(flow)
  const { speech } = parts
  return {
    languages: speech.languages,
    begin: (facts, { language }) => begin(parts, facts, speech.language(language)),
    take: (state, typed, facts, seen = true) => take(parts, state, typed, facts, seen),
    show: (state, facts) => replyOf(parts, state, facts),
    afterAction: (state, outcome, facts) => afterAction(parts, state, outcome, facts),
    late: (state, facts) => replyOf(parts, state, facts),
    offerResume: (state, facts) => writeScreen(parts, resumeView(parts, state), state, facts.limits),
  }
}

/** How many actions may follow each other without a screen between them. */
const longestChain = 8

const begin = (parts: FlowParts, facts: FlowFacts, language = parts.speech.languages[0]!): FlowStep => {
  const { start } = parts.flow
  const state: FlowState = { screen: start, page: 0, trail: [], values: {}, secrets: {}, language }
  const screen = screenOf(parts.flow, start)
  return screen?.kind === 'action' ? run(state, screen, 1) : show(parts, state, facts)
}

const take = (parts: FlowParts, from: FlowState, typed: string, facts: FlowFacts, seen: boolean): FlowStep => {
  if (screenOf(parts.flow, from.screen) === undefined) return begin(parts, facts, parts.speech.language(from.language))
  let state = from
  let left: string | undefined = cleanInput(typed)
  let passedOn = !seen
  while (left !== undefined) {
    const view = viewScreen(parts, state, facts)
    if (view.form === 'end') break
    const answer = nextAnswer(left, view.form)
    if (answer.kind === 'exit') return exit(parts, state, facts)
    if (passedOn && isGuarded(parts, state)) break
    const blind = passedOn || answer.rest !== undefined
    const isGap = answer.token === '' && answer.rest !== undefined
    left = answer.rest
    passedOn = true
    if (isGap) continue
    const answered = answerScreen(parts, view, state, answer.token, facts)
    if (answered.kind === 'refused' && left === '*') continue
    if (answered.kind === 'refused') return show(parts, state, facts, answered.notice)
    if (answered.kind === 'moved') {
      state = answered.state
      continue
    }
    if (answered.to === 'exit') return exit(parts, answered.state, facts)
    const target = screenAt(parts, answered.to, state.screen)
    if (target.kind !== 'action') {
      state = enterScreen(parts.flow, answered.state, answered.to)
      continue
    }
    if (answered.to === state.screen) return { kind: 'run', state, action: target }
    if (blind && target.effect !== 'read') break
    return run(enterScreen(parts.flow, answered.state, answered.to), target, 1, blind ? (left ?? '') : undefined)
  }
  return show(parts, state, facts)
}

const afterAction = (parts: FlowParts, state: FlowState, outcome: ActionOutcome, facts: FlowFacts): FlowStep => {
  const { flow } = parts
  const action = screenOf(flow, state.screen)
  if (action?.kind !== 'action') return show(parts, state, facts)
  if (outcome.kind !== 'done') {
    const ended = endForm(flow, state, outcome.kind === 'unknown' ? 'done' : 'none')
    if (action.failed === undefined) return show(parts, { ...ended, outcome: outcome.kind }, facts)
    const { failed } = action
    return leave(parts, ended, typeof failed === 'string' ? failed : failed(contextOf(ended, facts)), facts)
  }
  const { result } = outcome
  const ended = endForm(flow, withResult(parts, state, result), action.effect === 'read' ? 'none' : 'done')
  return leave(parts, ended, result.to, facts, state.ahead)
}

/** Leads from an action that has ended. `ahead` is what was typed before it ran, if that was typed ahead. */
const leave = (parts: FlowParts, state: FlowState, to: string, facts: FlowFacts, ahead?: string): FlowStep => {
  if (to === 'exit') return exit(parts, state, facts)
  const target = screenAt(parts, to, state.screen)
  if (target.kind !== 'action') {
    const entered = enterScreen(parts.flow, state, to)
    return ahead ? take(parts, entered, ahead, facts, false) : show(parts, entered, facts)
  }
  const chain = (state.chain ?? 1) + 1
  if (chain > longestChain) return show(parts, { ...state, outcome: 'failed' }, facts)
  if (ahead !== undefined && target.effect !== 'read') return show(parts, goBack(parts.flow, state), facts)
  return run(enterScreen(parts.flow, state, to), target, chain, ahead)
}

const run = (state: FlowState, action: ActionScreen, chain: number, ahead?: string): FlowStep => ({
  kind: 'run',
  state: ahead === undefined ? { ...state, chain } : { ...state, chain, ahead },
  action,
})

const exit = (parts: FlowParts, state: FlowState, facts: FlowFacts): FlowStep => {
  const goodbye: ScreenView = { form: 'end', words: parts.speech.word('goodbye', state), options: [], back: false }
  return { kind: 'show', state: closed(state), reply: writeScreen(parts, goodbye, state, facts.limits) }
}

const show = (parts: FlowParts, state: FlowState, facts: FlowFacts, notice?: string): FlowStep => {
  const reply = replyOf(parts, state, facts, notice)
  return { kind: 'show', state: reply.kind === 'end' ? closed(state) : state, reply }
}

const replyOf = (parts: FlowParts, state: FlowState, facts: FlowFacts, notice?: string): UssdReply =>
  writeScreen(parts, viewScreen(parts, state, facts), state, facts.limits, notice)

const resumeView = ({ speech }: FlowParts, state: FlowState): ScreenView => ({
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

const withResult = ({ speech }: FlowParts, state: FlowState, result: ActionResult): FlowState => {
  const values = Object.entries({ ...state.values, ...result.values }).filter(([, value]) => value !== null)
  const customerId = result.customerId === undefined ? state.customerId : (result.customerId ?? undefined)
  return {
    ...state,
    values: Object.fromEntries(values),
    language: speech.language(result.language) ?? state.language,
    ...(customerId === state.customerId ? {} : { customerId, trail: [] }),
  }
}

/** Whether a screen takes only what was typed by somebody who saw it. */
const isGuarded = ({ flow }: FlowParts, { screen }: FlowState): boolean =>
  ['secret', 'confirm'].includes(screenOf(flow, screen)?.kind ?? '')

const screenAt = ({ flow }: FlowParts, name: string, from: string) => {
  const screen = screenOf(flow, name)
  if (screen === undefined)
    throw new FlowInvalidError([`screens.${from}: leads to "${name}", and there is no such screen`])
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
