import type { Flow, Screen } from './flow.ts'
import type { FlowState } from './flow-machine.ts'

/** Maximum number of screens that `0` leads back through; the start screen follows. */
export const longestTrail = 32

export const screenOf = (flow: Flow, name: string): Screen | undefined =>
  Object.hasOwn(flow.screens, name) ? flow.screens[name] : undefined

export const canGoBack = (flow: Flow, name: string): boolean =>
  (screenOf(flow, name)?.back ?? name !== flow.start) !== false

/** Returns the state after a step forward. An earlier secret is requested again. */
export const enterScreen = (flow: Flow, state: FlowState, to: string): FlowState => ({
  ...atScreen(state, to),
  trail: trailTo(flow, state, to),
  secrets: withoutSecrets(flow, state.secrets, [to]),
})

/** Truncates the trail at a screen that is reached again. */
const trailTo = (flow: Flow, state: FlowState, to: string): readonly string[] => {
  if (to === flow.start) return []
  const { trail, screen: from } = state
  if (trail.includes(to)) return trail.slice(0, trail.indexOf(to))
  if (from === to || screenOf(flow, from)?.kind === 'action') return trail
  return [...trail, from].slice(-longestTrail)
}

/** Returns the state at the screen that `0` leads to, without the secrets that are requested again from there. */
export const goBack = (flow: Flow, state: FlowState): FlowState => {
  const { back } = screenOf(flow, state.screen) ?? {}
  const position =
    typeof back === 'string'
      ? state.trail.indexOf(back)
      : state.trail.findLastIndex(name => name !== state.screen && screenOf(flow, name) !== undefined)
  const screen = typeof back === 'string' ? back : (state.trail[position] ?? flow.start)
  const trail = position < 0 ? [] : state.trail.slice(0, position)
  const passed = position < 0 ? Object.keys(flow.screens) : [...state.trail.slice(position), state.screen]
  return { ...atScreen(state, screen), trail, secrets: withoutSecrets(flow, state.secrets, passed) }
}

/**
 * Returns the state after an action: without its secrets and the way back to them, and, if it had an effect, without
 * the way back to its questions.
 */
export const endForm = (flow: Flow, state: FlowState, effect: 'none' | 'done'): FlowState => {
  const asked = state.trail.findIndex(name => {
    const screen = screenOf(flow, name)
    return screen?.kind === 'secret' && Object.hasOwn(state.secrets, screen.into)
  })
  let trail = asked < 0 ? state.trail : state.trail.slice(0, asked)
  if (effect === 'done') {
    const rest = trail.findLastIndex(name => !['input', 'secret', 'confirm', 'choice'].includes(kindOf(flow, name)))
    trail = trail.slice(0, rest + 1)
  }
  const { ahead: _ahead, ...kept } = state
  return { ...kept, trail, secrets: {} }
}

/** Returns the state at the first page of a screen; the caller sets its trail. */
export const atScreen = (state: FlowState, screen: string): FlowState => {
  const { outcome: _outcome, chain: _chain, ahead: _ahead, ...kept } = state
  return { ...kept, screen, page: 0 }
}

const kindOf = (flow: Flow, name: string): string => screenOf(flow, name)?.kind ?? 'none'

const withoutSecrets = (
  flow: Flow,
  secrets: FlowState['secrets'],
  screens: readonly string[],
): FlowState['secrets'] => {
  const forgotten = new Set(
    screens.flatMap(name => {
      const screen = screenOf(flow, name)
      return screen?.kind === 'secret' ? [screen.into] : []
    }),
  )
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !forgotten.has(name)))
}
