import type { JsonValue } from '@sibyl/protocol'
import type { ActionScreen, ChoiceScreen, FlowContext, MenuScreen, Target } from './flow.ts'
import type { FlowFacts, FlowState } from './flow-machine.ts'
import type { FlowCall } from './flow-speech.ts'
import { canGoBack, screenOf } from './flow-trail.ts'

export interface ScreenOption {
  readonly key: string
  readonly label: string
  readonly to: Target
  readonly set?: { readonly name: string; readonly value: JsonValue }
}

/** Text and options of a session's screen, before layout. */
export interface ScreenView {
  /** `numbered`: one of the options, on as many pages as needed. `free`: a free answer. `end`: the last text. */
  readonly form: 'numbered' | 'free' | 'end'
  readonly words: string
  readonly options: readonly ScreenOption[]
  readonly back: boolean
}

export const contextOf = (state: FlowState, facts: FlowFacts): FlowContext => ({
  phoneNumber: facts.phoneNumber,
  serviceCode: facts.serviceCode,
  language: state.language,
  values: state.values,
  customerId: state.customerId,
})

export const viewScreen = (call: FlowCall, state: FlowState): ScreenView => {
  const { flow, speech, facts } = call
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
      return numbered(speech.text(screen.text, state), menuOptions(call, screen, state))
    case 'choice': {
      const options = choiceOptions(call, screen, state)
      return numbered(speech.text(options.length === 0 ? screen.empty : screen.text, state), options)
    }
    case 'confirm':
      return numbered(speech.text(screen.text, state), [
        { key: '1', label: speech.word('yes', state), to: screen.yes },
        { key: '2', label: speech.word('no', state), to: screen.no },
      ])
    case 'message': {
      const { text } = screen
      const words =
        typeof text === 'function' ? speech.quote(text(contextOf(state, facts)), state) : speech.text(text, state)
      return screen.ends === true ? endView(words) : numbered(words)
    }
    case 'action':
      return actionView(call, screen, state, back)
    case 'input':
    case 'secret':
      return { form: 'free', words: speech.text(screen.text, state), options: [], back }
    case undefined:
      return endView(speech.word('goodbye', state))
  }
}

export const endView = (words: string): ScreenView => ({ form: 'end', words, options: [], back: false })

const menuOptions = (call: FlowCall, screen: MenuScreen, state: FlowState): ScreenOption[] => {
  const context = contextOf(state, call.facts)
  const shown = screen.options.filter(option => option.when?.(context) ?? true)
  const numbers = optionNumbers(call, shown.length)
  return shown.map(({ label, to }, index) => ({ key: numbers[index]!, label: call.speech.text(label, state), to }))
}

const choiceOptions = (call: FlowCall, screen: ChoiceScreen, state: FlowState): ScreenOption[] => {
  const items = screen.items(contextOf(state, call.facts)).slice(0, maxItems)
  const numbers = optionNumbers(call, items.length)
  return items.map(({ label, value }, index) => ({
    key: numbers[index]!,
    label: call.speech.quoteLine(label, state),
    to: screen.to,
    set: { name: screen.into, value },
  }))
}

/** Returns the view of a late or failed action. `0` does not leave one that may have had an effect. */
const actionView = ({ speech }: FlowCall, screen: ActionScreen, state: FlowState, back: boolean): ScreenView => {
  if (state.outcome !== undefined) {
    const words = speech.word(state.outcome === 'failed' ? 'failed' : 'unknownOutcome', state)
    return { form: 'numbered', words, options: [], back }
  }
  return {
    form: 'numbered',
    words: screen.late === undefined ? speech.word('late', state) : speech.text(screen.late, state),
    options: [{ key: '1', label: speech.word('check', state), to: state.screen }],
    back: back && screen.effect === 'read',
  }
}

const maxItems = 1000

/** Returns numbers from 1, without those that are keys. */
const optionNumbers = ({ taken }: FlowCall, count: number): string[] => {
  const numbers: string[] = []
  for (let number = 1; numbers.length < count; number += 1) {
    const key = String(number)
    if (!taken.has(key)) numbers.push(key)
  }
  return numbers
}
