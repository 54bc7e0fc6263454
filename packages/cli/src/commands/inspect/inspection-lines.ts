import type { OracleInspection } from '@sibyl/core/records'
import { cleanLine, cleanText } from '../../output/clean-text.ts'
import { displayWidth, truncate, wrapWords } from '../../output/display-width.ts'
import { formatCount } from '../../output/format.ts'
import { type Styles, styleOfState } from '../../output/styles.ts'

interface InspectionLayout {
  readonly styles: Styles
  /** The maximum width of a line. */
  readonly columns: number
}

type Turn = NonNullable<OracleInspection['turn']>
type Plugin = OracleInspection['plugins'][number]

/**
 * Returns the lines of an inspection: its problems, or the identity of the oracle, its plugins, and the start of a
 * turn.
 */
export const inspectionLines = (inspection: OracleInspection, layout: InspectionLayout): string[] => {
  const { turn, problems } = inspection
  return [
    ...headLines(inspection, layout),
    '',
    ...pluginLines(inspection.plugins, layout),
    ...(problems.length > 0 ? ['', ...problemLines(inspection, layout)] : []),
    ...(turn ? ['', ...turnLines(turn, layout)] : []),
  ]
}

/** Returns the problems that prevent a start. */
export const problemLines = ({ problems }: OracleInspection, { styles, columns }: InspectionLayout): string[] => [
  ...problems.flatMap(({ headline, lines }) => [
    ...wrapWords(cleanLine(headline), columns).map(styles.error),
    ...lines.flatMap(line => indented(line, columns)),
  ]),
  styles.bold(`The oracle does not start: ${formatCount(problems.length, 'problem')}.`),
]

const headLines = ({ oracle, core }: OracleInspection, { styles: { bold, dim }, columns }: InspectionLayout) => [
  bold(truncate(cleanLine(oracle.name), columns)),
  ...wrapWords(`${cleanLine(oracle.environment)}, ${oracle.network}, Sibyl ${cleanLine(core)}`, columns).map(dim),
  ...wrapWords(cleanLine(oracle.model), columns).map(dim),
]

const pluginLines = (plugins: readonly Plugin[], { styles, columns }: InspectionLayout): string[] => {
  const names = Math.max(0, ...plugins.map(({ name }) => displayWidth(cleanLine(name))))
  const stateWidth = 'available'.length
  const rest = columns - names - stateWidth - 6
  return [
    styles.bold('Plugins'),
    ...plugins.flatMap(plugin => {
      const name = cleanLine(plugin.name)
      const head = `  ${styleOfState(plugin.state, styles)(plugin.state.padEnd(stateWidth))}  ${pad(name, names)}`
      const facts = factsOf(plugin)
      if (displayWidth(facts) <= rest) return [`${head}  ${styles.dim(facts)}`.trimEnd()]
      return [head.trimEnd(), ...wrapWords(facts, columns - 13).map(line => styles.dim(`             ${line}`))]
    }),
  ]
}

const factsOf = ({ state, reason, tools, toolsVary, routes }: Plugin): string => {
  if (reason !== undefined && state !== 'loaded' && state !== 'available') return cleanLine(reason)
  const counts = [
    ...(toolsVary ? ['tools depend on the turn'] : tools.length > 0 ? [formatCount(tools.length, 'tool')] : []),
    ...(routes.length > 0 ? [formatCount(routes.length, 'route')] : []),
  ]
  return counts.join(', ')
}

const turnLines = (turn: Turn, layout: InspectionLayout): string[] => {
  const { styles, columns } = layout
  const { prompt, promptTokens, note, noteTokens, tools, toolTokens, loadable } = turn
  const title = (name: string, tokens: string) => spread(styles.bold(name), name, tokens, columns)
  const toolRows = tools.map(({ name, owner, tokens }) => ({ name, owner, tokens: String(tokens) }))
  const loadableRows = loadable.map(one => ({
    name: one.plugin,
    owner: one.tools === 0 ? '' : formatCount(one.tools, 'tool'),
    tokens: `+${one.tokens}`,
  }))
  return [
    title('System prompt', formatTokens(promptTokens)),
    ...indented(prompt, columns),
    ...(note === '' ? [] : ['', title('Beside the message', formatTokens(noteTokens)), ...indented(note, columns)]),
    '',
    title('Tools', formatTokens(toolTokens)),
    ...rows(toolRows, layout),
    ...(loadable.length === 0 ? [] : ['', title('Loaded on demand', 'tokens added'), ...rows(loadableRows, layout)]),
    '',
    ...wrapWords(
      `A turn starts with about ${formatTokens(promptTokens + noteTokens + toolTokens)}, before the conversation.`,
      columns,
    ).map(styles.bold),
  ]
}

/** Returns rows with names on the left, numbers on the right, and owners between them if they fit. */
const rows = (
  all: readonly { readonly name: string; readonly owner: string; readonly tokens: string }[],
  { styles: { dim }, columns }: InspectionLayout,
): string[] => {
  const cleaned = all.map(row => ({ ...row, name: cleanLine(row.name), owner: cleanLine(row.owner) }))
  const widthOf = (part: 'name' | 'owner') => Math.max(0, ...cleaned.map(row => displayWidth(row[part])))
  const [names, owners] = [widthOf('name'), widthOf('owner')]
  const numbers = Math.max(0, ...cleaned.map(({ tokens }) => tokens.length))
  const hasOwners = names + owners + numbers + 6 <= columns
  return cleaned.map(({ name, owner, tokens }) => {
    const left = hasOwners ? `  ${pad(name, names)}  ${owner}` : `  ${truncate(name, columns - numbers - 4)}`
    const shown = hasOwners ? `  ${pad(name, names)}  ${dim(owner)}` : left
    return spread(shown, left, tokens, columns)
  })
}

/** @param plain `left` without styles. */
const spread = (left: string, plain: string, right: string, columns: number): string =>
  `${left}${' '.repeat(Math.max(2, Math.min(columns, 80) - displayWidth(plain) - right.length))}${right}`

const indented = (text: string, columns: number): string[] =>
  cleanText(text)
    .split('\n')
    .flatMap(line => (line.trim() === '' ? [''] : wrapWords(line, columns - 2).map(part => `  ${part}`)))

const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - displayWidth(text)))

const formatTokens = (count: number): string => `${count.toLocaleString('en')} tokens`
