import type { JsonValue } from '@sibyl/protocol'
import type { ActionScreen, ChoiceScreen, FlowContext, MenuScreen, Target } from './flow.ts'
import type { FlowFacts, FlowState } from './flow-machine.ts'
import type { FlowParts } from './flow-speech.ts'
import { canGoBack, screenOf } from './flow-trail.ts'

/** A line that is chosen by its number. */
export interface ScreenOption {
  /** What is typed. */
  readonly key: string
  readonly label: string
  readonly to: Target
  /** A value that is set on the way. */
  readonly set?: { readonly name: string; readonly value: JsonValue }
}

/** What a session's screen says and takes, before it is laid out. */
export interface ScreenView {
  /** `numbered`: one of the options, on as many pages as it needs. `free`: an answer in one's own words. `end`: last words. */
  readonly form: 'numbered' | 'free' | 'end'
  readonly words: string
  readonly options: readonly ScreenOption[]
  /** Whether `0` leads back. */
  readonly back: boolean
}

/** What a flow's functions learn of a session. */
export const contextOf = (state: FlowState, facts: FlowFacts): FlowContext => ({
  phoneNumber: facts.phoneNumber,
  serviceCode: facts.serviceCode,
  language: state.language,
  values: state.values,
  customerId: state.customerId,
})

/** Makes the view of a session's screen. */
export const viewScreen = (parts: FlowParts, state: FlowState, facts: FlowFacts): ScreenView => {
  const { flow, speech } = parts
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
      return numbered(speech.say(screen.text, state), menuOptions(parts, screen, state, facts))
    case 'choice':
      return choiceView(parts, screen, state, facts, numbered)
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
      return actionView(parts, screen, state, back)
    case 'input':
    case 'secret':
      return { form: 'free', words: speech.say(screen.text, state), options: [], back }
    case undefined:
      return { form: 'end', words: speech.word('goodbye', state), options: [], back: false }
  }
}

const menuOptions = (parts: FlowParts, screen: MenuScreen, state: FlowState, facts: FlowFacts): ScreenOption[] => {
  const context = contextOf(state, facts)
  const shown = screen.options.filter(option => option.when?.(context) ?? true)
  const numbers = optionNumbers(parts, shown.length)
  return shown.map(({ label, to }, index) => ({ key: numbers[index]!, label: parts.speech.say(label, state), to }))
}

const choiceView = (
  parts: FlowParts,
  screen: ChoiceScreen,
  state: FlowState,
  facts: FlowFacts,
  numbered: (words: string, options?: readonly ScreenOption[]) => ScreenView,
): ScreenView => {
  const items = screen.items(contextOf(state, facts)).slice(0, mostItems)
  if (items.length === 0) return numbered(parts.speech.say(screen.empty, state))
  const numbers = optionNumbers(parts, items.length)
  const options = items.map(({ label, value }, index) => ({
    key: numbers[index]!,
    label: parts.speech.quoteLine(label, state),
    to: screen.to,
    set: { name: screen.into, value },
  }))
  return numbered(parts.speech.say(screen.text, state), options)
}

/** What stands for an action: that it is late, or how it failed. One that may have taken effect is not left by `0`. */
const actionView = ({ speech }: FlowParts, screen: ActionScreen, state: FlowState, back: boolean): ScreenView => {
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
const optionNumbers = ({ keys }: FlowParts, count: number): string[] => {
  const taken = new Set(Object.values(keys))
  const numbers: string[] = []
  for (let number = 1; numbers.length < count; number += 1) {
    if (!taken.has(String(number))) numbers.push(String(number))
  }
  return numbers
}
