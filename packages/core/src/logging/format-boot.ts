import { verdictText } from '@sibyl/plugin/host'
import { type Hue, visible } from '@sibyl/telemetry'
import type { AdapterFact, BootFact, IdentityFact, PluginFact, ReadyFact, SettledFact } from './boot-facts.ts'
import { joinSpans, type Span, span, spanLength, wrapSpans } from './text-spans.ts'

/** The widths of the aligned columns. */
export interface BootLayout {
  readonly name: number
  /** Digits of the largest number of tools, and of routes. */
  readonly tools: number
  readonly routes: number
}

/** The style of the boot log. */
export interface BootStyle {
  /** The maximum width; undefined without wrapping, as in a file. */
  readonly columns?: number | undefined
  readonly colour: boolean
  readonly layout: BootLayout
}

const prefix = '[boot] '
const errorPrefix = '[boot-error] '
const labelWidth = 12
const compactLabelWidth = 10
const modeWidth = 'on-demand'.length + 3
/** Below this width columns are not aligned, to keep lines short. */
const narrow = 72

/** Returns the column widths for these facts, at least the given ones. */
export const bootLayout = (
  facts: readonly BootFact[],
  least: BootLayout = { name: 14, tools: 1, routes: 1 },
): BootLayout => {
  const plugins = facts.filter(isPluginFact)
  const adapters = facts.filter(fact => fact.kind === 'adapter')
  const names = facts.flatMap(fact => ('plugin' in fact ? fact.plugin : []))
  const digits = (numbers: number[]) => Math.max(...numbers.map(number => String(number).length))
  return {
    name: Math.max(least.name, ...names.map(name => Math.min(name.length, 30) + 2)),
    tools: digits([10 ** (least.tools - 1), ...plugins.map(({ tools }) => tools ?? 0)]),
    routes: digits([10 ** (least.routes - 1), ...[...plugins, ...adapters].map(({ routes }) => routes)]),
  }
}

const isPluginFact = (fact: BootFact): fact is PluginFact => fact.kind === 'loaded' || fact.kind === 'available'

/**
 * Returns the lines of the boot log for one fact. Lines that machines read stay on one line at any width: `[boot]
 * excluded: <plugin> (<env-var>)`, `[boot] opened: <route> (<plugin>, …)` and `[boot-error] <headline>`.
 */
export const formatBootFact = (fact: BootFact, style: BootStyle): string[] => {
  const { columns = Number.POSITIVE_INFINITY, colour, layout } = style
  const compact = columns < narrow
  const show = (spans: readonly Span[], indent: number) =>
    wrapSpans(spans, columns, indent).map(line => joinSpans(line, colour))
  const plain = (spans: readonly Span[]) => [joinSpans(spans, colour)]
  switch (fact.kind) {
    case 'header':
      return [...show(headerSpans(fact), 2), '']
    case 'excluded':
      return plain([span(`${prefix}excluded: ${fact.plugin} (${fact.variable})`, 'dim')])
    case 'list': {
      const { label, hue } = lists[fact.of]
      const head = [span(prefix, 'dim'), span(label.padEnd(compact ? compactLabelWidth : labelWidth), hue)]
      return show([...head, span(visible(fact.names.join(', ')))], compact ? prefix.length : spanLength(head))
    }
    case 'opened':
      return plain([span(`${prefix}opened: ${visible(fact.route)} (${fact.plugin}, without a UCAN)`, 'yellow')])
    case 'problem': {
      const indent = compact ? 2 : errorPrefix.length
      return [
        ...plain([span(errorPrefix.trim(), 'red'), span(' '), span(visible(fact.problem.headline), 'bold')]),
        ...fact.problem.lines.flatMap(line => show([span(' '.repeat(indent)), span(visible(line))], indent)),
      ]
    }
    case 'verdict':
      return show([span(verdictText(fact.problems), 'bold')], 0)
    default: {
      const { label, hue, cells } = labelled(fact, compact ? undefined : layout)
      const head = [span(prefix, 'dim'), span(label.padEnd(compact ? compactLabelWidth : labelWidth), hue)]
      return show([...head, ...cells], compact ? prefix.length : spanLength(head))
    }
  }
}

const lists = {
  loaded: { label: 'loaded', hue: 'green' },
  available: { label: 'available', hue: 'cyan' },
  adapter: { label: 'adapters', hue: 'cyan' },
  excluded: { label: 'excluded:', hue: 'dim' },
} as const

type LabelledFact = Exclude<BootFact, { kind: 'header' | 'excluded' | 'list' | 'opened' | 'problem' | 'verdict' }>

interface Labelled {
  readonly label: string
  readonly hue: Hue
  readonly cells: readonly Span[]
}

/** @param layout Undefined without aligned columns. */
const labelled = (fact: LabelledFact, layout: BootLayout | undefined): Labelled => {
  const name = (text: string) => span(layout ? text.padEnd(layout.name) : `${text}  `, 'bold')
  switch (fact.kind) {
    case 'loaded':
    case 'available':
      return {
        label: fact.kind,
        hue: fact.kind === 'loaded' ? 'green' : 'cyan',
        cells: [name(fact.plugin), ...countCells(fact, layout), ...detailCells(fact)],
      }
    case 'adapter':
      return { label: 'adapter', hue: 'cyan', cells: [name(fact.plugin), ...endpointCells(fact, layout)] }
    case 'pending':
      return { label: 'pending', hue: 'yellow', cells: [name(fact.plugin), span(visible(fact.detail ?? ''))] }
    case 'settled':
      return fact.state === 'failed'
        ? { label: 'failed', hue: 'red', cells: [name(fact.plugin), span(visible(fact.reason ?? ''))] }
        : {
            label: fact.state,
            hue: settledHues[fact.state],
            cells: [name(fact.plugin), span(formatSeconds(fact.durationMs)), ...detailCells(fact)],
          }
    case 'identity':
      return identityLine(fact)
    case 'listening':
      return {
        label: 'listening',
        hue: 'green',
        cells: [span(fact.url, 'bold'), ...(fact.notes ?? []).map(note => span(`    ${note}`, 'dim'))],
      }
    case 'ready':
      return { label: 'ready', hue: 'green', cells: readyCells(fact) }
    default:
      return { label: fact.kind, hue: fact.warn ? 'yellow' : 'dim', cells: [span(visible(fact.text))] }
  }
}

const settledHues = { loaded: 'green', available: 'cyan', pending: 'yellow', degraded: 'yellow' } as const

const headerSpans = (fact: Extract<BootFact, { kind: 'header' }>): Span[] => [
  span(`Sibyl ${fact.version}`, 'bold'),
  span(`   ${visible(fact.name)}`, 'cyan'),
  span(`   ${visible(fact.environment)}   ${fact.network}`, 'dim'),
]

const detailCells = ({ detail }: { readonly detail?: string }): Span[] =>
  detail === undefined ? [] : [span(`   ${visible(detail)}`, 'dim')]

/** `always      4 tools   14 routes (2 public)` */
const countCells = ({ mode, tools, routes, publicRoutes }: PluginFact, layout: BootLayout | undefined): Span[] => {
  const toolText = tools === undefined ? 'tools depend on the turn' : counted(tools, 'tool', layout?.tools)
  const routeText = routes === 0 ? '' : counted(routes, 'route', layout?.routes)
  const toolWidth = (layout?.tools ?? 0) + ' tools'.length
  return [
    span(layout ? mode.padEnd(modeWidth) : `${mode}  `, 'dim'),
    span(layout ? `${toolText.padEnd(toolWidth)}   ` : `${toolText}  `),
    span(routeText),
    span(publicRoutes > 0 ? ` (${publicRoutes} public)` : '', 'dim'),
  ]
}

/** `/mcp                   3 routes`, under the routes of plugins. */
const endpointCells = ({ endpoint, routes }: AdapterFact, layout: BootLayout | undefined): Span[] => {
  const width = modeWidth + (layout?.tools ?? 0) + ' tools'.length
  return [
    span(layout ? `${endpoint.padEnd(width)}   ` : `${endpoint}  `),
    span(counted(routes, 'route', layout?.routes).trimEnd(), 'dim'),
  ]
}

/** @param digits Undefined without aligned columns. */
const counted = (count: number, noun: string, digits: number | undefined): string => {
  const word = count === 1 ? noun : `${noun}s`
  return digits === undefined ? `${count} ${word}` : `${String(count).padStart(digits)} ${word.padEnd(noun.length + 1)}`
}

const identityLine = ({ did, entityDid }: IdentityFact): Labelled =>
  did === undefined
    ? {
        label: 'identity',
        hue: 'yellow',
        cells: [span('no signing key, so every authenticated route answers 401; set ORACLE_MNEMONIC')],
      }
    : {
        label: 'identity',
        hue: 'dim',
        cells: [span(shortDid(did)), span(entityDid === undefined ? '' : `   entity ${shortDid(entityDid)}`)],
      }

const readyCells = ({ durationMs, waited = [] }: ReadyFact): Span[] => {
  const report = ({ plugin, state, durationMs: took }: SettledFact) =>
    `${plugin} ${state === 'failed' || state === 'degraded' ? `${state} ` : ''}after ${formatSeconds(took)}`
  return [
    span(`in ${formatSeconds(durationMs)}`),
    span(waited.length > 0 ? ` (${waited.map(report).join(', ')})` : '', 'dim'),
  ]
}

/** `did:key:z6Mkf…9aV`: recognizable and short. */
export const shortDid = (did: string): string => {
  const start = did.lastIndexOf(':') + 1
  const body = did.slice(start)
  return body.length <= 14 ? did : `${did.slice(0, start)}${body.slice(0, 5)}…${body.slice(-3)}`
}

/** `0.21 s`, `1.2 s`, `12 s`. */
export const formatSeconds = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  return `${seconds.toFixed(seconds < 1 ? 2 : seconds < 10 ? 1 : 0)} s`
}
