import type { FlowRecord } from '../records/flow-records.ts'
import { targetsOf } from './check-flow.ts'
import type { Flow, MenuScreen, Screen, Target, Text } from './flow.ts'
import { prepareFlow } from './flow-speech.ts'
import { english } from './flow-words.ts'
import { computedTargets, samplesOf } from './lint-samples.ts'

/** A text by language code. */
export type Texts = Readonly<Record<string, string>>

type FlowNode = FlowRecord['nodes'][number]
type FlowEdge = FlowRecord['edges'][number]

/** A flow as data. `*` ends the session at every screen, and is not an edge. */
export type FlowGraph = Omit<FlowRecord, 'gateway'>

/**
 * Returns the graph of a flow. Results of an action are those that it declares; targets that a flow computes are those
 * for sample users, in every language, signed in and not.
 */
export const flowGraph = (flow: Flow): FlowGraph => {
  const { speech, keys, taken } = prepareFlow(flow)
  const { languages } = speech
  const samples = samplesOf(flow, languages)
  const textsOf = (text: Text): Texts =>
    Object.fromEntries(languages.map(code => [code, textIn(text, code, languages)]))
  const namesOf = (to: Target): string[] => (typeof to === 'string' ? [to] : computedTargets(to, samples))
  const screens = Object.entries(flow.screens)

  const nodeOf = (id: string, screen: Screen): FlowNode => ({
    id,
    kind: screen.kind,
    ...('text' in screen && typeof screen.text !== 'function' ? { text: textsOf(screen.text) } : {}),
    back: backOf(id, screen),
    ends: screen.kind === 'message' && screen.ends === true,
  })
  const backOf = (id: string, { back = id !== flow.start }: Screen): FlowNode['back'] => {
    if (typeof back === 'string') return { screen: back }
    return back ? 'previous' : 'none'
  }
  const edgesOf = (from: string, screen: Screen): FlowEdge[] => {
    if (screen.kind === 'menu') {
      return optionsOf(screen, taken).flatMap(({ to, label, ...key }) =>
        namesOf(to).map(name => ({ from, to: name, kind: 'option' as const, ...key, label: textsOf(label) })),
      )
    }
    return targetsOf(screen)
      .filter(({ where }) => where !== 'back')
      .flatMap(({ where, to }) => namesOf(to).map(name => ({ from, to: name, ...kindOf(where) })))
  }
  return {
    start: flow.start,
    languages: [...(flow.languages ?? [english])],
    keys,
    nodes: screens.map(([id, screen]) => nodeOf(id, screen)),
    edges: distinct(screens.flatMap(([id, screen]) => edgesOf(id, screen))),
  }
}

const textIn = (text: Text, code: string, [first = '']: readonly string[]): string =>
  typeof text === 'string' ? text : (text[code] ?? text[first] ?? '')

/** Returns the options of a menu with their numbers, which depend on the user if options do. */
const optionsOf = ({ options }: MenuScreen, taken: ReadonlySet<string>) => {
  const isFixed = options.every(({ when }) => when === undefined)
  let number = 0
  return options.map(({ label, to }) => {
    do number += 1
    while (taken.has(String(number)))
    return { label, to, ...(isFixed ? { key: String(number) } : {}) }
  })
}

const kindOf = (where: string): Pick<FlowEdge, 'kind' | 'key'> => {
  if (where === 'yes') return { kind: 'yes', key: '1' }
  if (where === 'no') return { kind: 'no', key: '2' }
  if (where === 'failed') return { kind: 'failure' }
  return { kind: where === 'to' ? 'answer' : 'result' }
}

const distinct = (edges: readonly FlowEdge[]): FlowEdge[] => [
  ...new Map(edges.map(edge => [JSON.stringify([edge.from, edge.to, edge.kind, edge.key, edge.label]), edge])).values(),
]
