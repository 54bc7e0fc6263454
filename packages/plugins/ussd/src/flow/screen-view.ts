import type { JsonValue } from '@sibyl/protocol'
import type { ActionScreen, ChoiceScreen, FlowContext, MenuScreen, Target } from './flow.ts'
import type { FlowFacts, FlowState } from './flow-machine.ts'
import type { PreparedFlow } from './flow-speech.ts'
import { canGoBack, screenOf } from './flow-trail.ts'

/** A line that is chosen by its number. */
export interface ScreenOption {
  readonly key: string
  readonly label: string
  readonly to: Target
  /** A value that is set on the way. */
  readonly set?: { readonly name: string; readonly value: JsonValue }
}

/** Text and options of a session's screen, before it is laid out. */
export interface ScreenView {
  /** `numbered`: one of the options, on as many pages as it needs. `free`: an answer in one's own words. `end`: last words. */
  readonly form: 'numbered' | 'free' | 'end'
  readonly words: string
  readonly options: readonly ScreenOption[]
  /** Whether `0` leads back. */
  readonly back: boolean
}

/** Returns the context of a flow's functions. */
export const contextOf = (state: FlowState, facts: FlowFacts): FlowContext => ({
  phoneNumber: facts.phoneNumber,
  serviceCode: facts.serviceCode,
  language: state.language,
  values: state.values,
  customerId: state.customerId,
})

/** Creates the view of a session's screen. */
export const viewScreen = (prepared: PreparedFlow, state: FlowState, facts: FlowFacts): ScreenView => {
  const { flow, speech } = prepared
  const screen = screenOf(flow, state.screen)
  const back = canGoBack(flow, state.screen)
  const numbered = (words: string, options: readonly ScreenOption[] = []): ScreenView => ({
    form: 'numbered',
    words,
    options,
    back,
  })
  switch (screen?.kind) {
    case 'menu':
      return numbered(speech.say(screen.text, state), menuOptions(prepared, screen, state, facts))
    case 'choice':
      return choiceView(prepared, screen, state, facts, numbered)
    case 'confirm':
      return numbered(speech.say(screen.text, state), [
        { key: '1', label: speech.word('yes', state), to: screen.yes },
        { key: '2', label: speech.word('no', state), to: screen.no },
      ])
    case 'message': {
      const { text } = screen
      const words =
        typeof text === 'function' ? speech.quote(text(contextOf(state, facts)), state) : speech.say(text, state)
      return screen.ends === true ? { form: 'end', words, options: [], back: false } : numbered(words)
    }
    case 'action':
      return actionView(prepared, screen, state, back)
    case 'input':
    case 'secret':
      return { form: 'free', words: speech.say(screen.text, state), options: [], back }
    case undefined:
      return { form: 'end', words: speech.word('goodbye', state), options: [], back: false }
  }
}

const menuOptions = (
  prepared: PreparedFlow,
  screen: MenuScreen,
  state: FlowState,
  facts: FlowFacts,
): ScreenOption[] => {
  const context = contextOf(state, facts)
  const shown = screen.options.filter(option => option.when?.(context) ?? true)
  const numbers = optionNumbers(prepared, shown.length)
  return shown.map(({ label, to }, index) => ({ key: numbers[index]!, label: prepared.speech.say(label, state), to }))
}

const choiceView = (
  prepared: PreparedFlow,
  screen: ChoiceScreen,
  state: FlowState,
  facts: FlowFacts,
  numbered: (words: string, options?: readonly ScreenOption[]) => ScreenView,
): ScreenView => {
  const items = screen.items(contextOf(state, facts)).slice(0, mostItems)
  if (items.length === 0) return numbered(prepared.speech.say(screen.empty, state))
  const numbers = optionNumbers(prepared, items.length)
  const options = items.map(({ label, value }, index) => ({
    key: numbers[index]!,
    label: prepared.speech.quoteLine(label, state),
    to: screen.to,
    set: { name: screen.into, value },
  }))
  return numbered(prepared.speech.say(screen.text, state), options)
}

/** Returns the view of an action: that it is late, or how it failed. `0` does not leave one that may have taken effect. */
const actionView = ({ speech }: PreparedFlow, screen: ActionScreen, state: FlowState, back: boolean): ScreenView => {
  if (state.outcome !== undefined) {
    const words = speech.word(state.outcome === 'failed' ? 'failed' : 'unknownOutcome', state)
    return { form: 'numbered', words, options: [], back }
  }
  return {
    form: 'numbered',
    words: screen.late === undefined ? speech.word('late', state) : speech.say(screen.late, state),
    options: [{ key: '1', label: speech.word('check', state), to: state.screen }],
    back: back && screen.effect === 'read',
  }
}

/** The most items of a choice that are shown. */
const mostItems = 1000

/** Numbers from 1, without those that are keys. */
const optionNumbers = ({ keys }: PreparedFlow, count: number): string[] => {
  const taken = new Set(Object.values(keys))
  const numbers: string[] = []
  for (let number = 1; numbers.length < count; number += 1) {
    if (!taken.has(String(number))) numbers.push(String(number))
  }
  return numbers
}
