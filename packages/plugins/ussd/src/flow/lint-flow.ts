import { narrowLimits, standardLimits, type TextLimits } from '../text/measure.ts'
import { checkFlow, flowInvalid, targetsOf, textsOf } from './check-flow.ts'
import type { Flow } from './flow.ts'
import { type PreparedFlow, prepareFlow } from './flow-speech.ts'
import { canGoBack, screenOf } from './flow-trail.ts'
import { computedTargets, type Sample, sampleFlow, samplesOf } from './lint-samples.ts'
import { type FlowFinding, findingText, lintScreen, lintWords } from './lint-screens.ts'

export interface LintOptions {
  /** Limits of a message. @default 182 septets and 80 code units, with warnings beyond 160 and 70 */
  readonly limits?: TextLimits
  /** Screens that only computed targets lead to, which the linter cannot discover. */
  readonly starts?: readonly string[]
}

/**
 * Walks all reachable screens, in every language, with values of their longest length, with their examples and with none,
 * with short and long lists. Returns the texts that do not fit or are missing.
 *
 * @throws `flow_invalid` for a flow that cannot work at all
 */
export const lintFlow = (flow: Flow, options: LintOptions = {}): readonly FlowFinding[] => {
  checkFlow(flow)
  const prepared = prepareFlow(sampleFlow(flow))
  const samples = samplesOf(flow, prepared.speech.languages)
  const reached = reachedScreens(flow, [flow.start, ...(options.starts ?? [])], samples)
  const limits = options.limits ?? standardLimits
  const strict = lintWithin(prepared, reached, samples, limits)
  const narrow = options.limits === undefined ? lintWithin(prepared, reached, samples, narrowLimits) : []
  return distinct([
    ...unreachedScreens(flow, reached),
    ...reached.flatMap(name => [...untranslated(prepared, name), ...deadEnd(flow, name)]),
    ...strict,
    ...narrow.map(finding => ({ ...finding, severity: 'warning' as const })),
  ])
}

/**
 * Expects that the linter finds no error in a flow, in a test of a custom flow.
 *
 * @throws `flow_invalid`, with each error that was found
 * @example
 * it('fits every phone', () => expectFlowFits(flow))
 */
export const expectFlowFits = (flow: Flow, options: LintOptions = {}): void => {
  const errors = lintFlow(flow, options).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw flowInvalid(errors.map(findingText))
}

const lintWithin = (
  prepared: PreparedFlow,
  reached: readonly string[],
  samples: readonly Sample[],
  limits: TextLimits,
): FlowFinding[] =>
  samples.flatMap(sample => [
    ...lintWords(prepared, sample, limits),
    ...reached.flatMap(name => lintScreen(prepared, name, sample, limits)),
  ])

/** Returns the screens that are reachable from some, by fixed targets and by computed ones for the samples. */
const reachedScreens = (flow: Flow, starts: readonly string[], samples: readonly Sample[]): string[] => {
  const reached = new Set(starts.filter(name => screenOf(flow, name) !== undefined))
  for (const name of reached) {
    for (const { to } of targetsOf(flow.screens[name]!)) {
      const names = typeof to === 'string' ? [to] : computedTargets(to, samples)
      for (const next of names) if (screenOf(flow, next) !== undefined) reached.add(next)
    }
  }
  return [...reached]
}

const finding = (
  severity: FlowFinding['severity'],
  screen: string,
  problem: string,
  language?: string,
): FlowFinding => ({
  severity,
  screen,
  problem,
  language,
})

const unreachedScreens = (flow: Flow, reached: readonly string[]): FlowFinding[] =>
  Object.keys(flow.screens)
    .filter(name => !reached.includes(name))
    .map(name => finding('warning', name, 'nothing leads here; name it in `starts` if a computed target does'))

const untranslated = ({ flow, speech: { languages } }: PreparedFlow, screen: string): FlowFinding[] =>
  textsOf(flow.screens[screen]!).flatMap(({ where, text }) => {
    if (typeof text === 'string') return []
    const silent = languages.filter(language => !Object.hasOwn(text, language))
    const unnamed = Object.keys(text).filter(language => !languages.includes(language))
    return [
      ...silent.map(language => finding('error', screen, `${where} says nothing in this language`, language)),
      ...unnamed.map(language =>
        finding('warning', screen, `${where} speaks a language that the flow does not name`, language),
      ),
    ]
  })

const deadEnd = (flow: Flow, name: string): FlowFinding[] => {
  const screen = flow.screens[name]!
  return screen.kind === 'message' && screen.ends !== true && !canGoBack(flow, name)
    ? [finding('warning', name, 'leads nowhere but to the exit; say `ends: true`, or let 0 lead back')]
    : []
}

const distinct = (findings: readonly FlowFinding[]): FlowFinding[] => {
  const reported = new Set<string>()
  return findings.filter(({ screen, language, problem }) => {
    const text = JSON.stringify([screen, language, problem.replace(/\d+ of \d+/, '')])
    return !reported.has(text) && reported.add(text)
  })
}
