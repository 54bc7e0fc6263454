import type { JsonValue } from '@sibyl/protocol'
import type { ChoiceItem, Flow, FlowContext, Screen, Target } from './flow.ts'
import type { FlowFacts, FlowState } from './flow-machine.ts'

/** A sample session of the linter. */
export interface Sample {
  readonly state: FlowState
  readonly context: FlowContext
}

/**
 * Returns sessions in every language, with values of their longest length, with their examples, and with none; signed
 * in and not.
 */
export const samplesOf = (flow: Flow, languages: readonly string[]): Sample[] => {
  const values = Object.entries(flow.values ?? {})
  const sets: Record<string, JsonValue>[] = [
    Object.fromEntries(values.map(([name, { longest }]) => [name, 'W'.repeat(longest)])),
    Object.fromEntries(values.map(([name, { example, longest }]) => [name, example ?? 'W'.repeat(longest)])),
    {},
  ]
  return languages.flatMap(language =>
    sets.flatMap(set => [sampleOf(language, set), sampleOf(language, set, '123456782')]),
  )
}

/** Facts of the samples' sessions, without their limits. */
export const sampleFacts = { phoneNumber: '+260971234567', serviceCode: '*1234#' } satisfies Partial<FlowFacts>

const sampleOf = (language: string, values: Record<string, JsonValue>, customerId?: string): Sample => ({
  state: {
    screen: '',
    page: 0,
    trail: [],
    values,
    secrets: {},
    language,
    customerId,
  },
  context: { ...sampleFacts, language, values, customerId },
})

/** Returns the screens that a computed target leads to for the samples; a sample for which it throws has none. */
export const computedTargets = (to: Exclude<Target, string>, samples: readonly Sample[]): string[] => [
  ...new Set(samples.flatMap(({ context }) => attempt(() => to(context)) ?? [])),
]

const attempt = <Result>(compute: () => Result): Result | undefined => {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/**
 * Returns the flow with its widest screens: every option of a menu, whatever its `when` returns, and a long list for a
 * choice.
 */
export const sampleFlow = (flow: Flow): Flow => ({
  ...flow,
  screens: Object.fromEntries(Object.entries(flow.screens).map(([name, screen]) => [name, sampleScreen(screen)])),
})

const sampleScreen = (screen: Screen): Screen => {
  if (screen.kind === 'menu') return { ...screen, options: screen.options.map(({ label, to }) => ({ label, to })) }
  if (screen.kind === 'choice')
    return { ...screen, items: context => [...itemsOf(screen.items, context), ...manyItems] }
  return screen
}

const itemsOf = (
  items: (context: FlowContext) => readonly ChoiceItem[],
  context: FlowContext,
): readonly ChoiceItem[] => {
  try {
    return items(context)
  } catch {
    return []
  }
}

const manyItems: readonly ChoiceItem[] = Array.from({ length: 120 }, (_, index) => ({
  label: `Sample ${index + 1}`,
  value: index,
}))
