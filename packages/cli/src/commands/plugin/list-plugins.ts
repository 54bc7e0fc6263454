import type { OracleInspection } from '@sibyl/core/records'
import type { JsonOptions } from '../../command/common-options.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import { displayWidth, wrapWords } from '../../output/display-width.ts'
import { formatCount } from '../../output/format.ts'
import { type Styles, styleOfState, stylesFor } from '../../output/styles.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { inspectProject } from '../../project/inspect-project.ts'
import { openProject } from '../../project/open-project.ts'

type Plugin = OracleInspection['plugins'][number]

/**
 * Runs `sibyl plugin list`: lists the plugins of an oracle with their states after boot.
 *
 * @throws `project_missing`, `project_failed`
 */
export const listPlugins = async ({ json }: JsonOptions, io: CommandIo): Promise<void> => {
  const { plugins, problems } = await inspectProject(await openProject(io), io)
  if (json) return writeJson(io, { plugins, problems })
  const styles = stylesFor(io.stdout, io.env)
  const columns = io.stdout.columns ?? 100
  const width = Math.max(...plugins.map(({ name }) => displayWidth(name)), 0)
  const lines = plugins.flatMap(plugin => linesOf(plugin, { styles, columns, width }))
  if (plugins.length === 0) lines.push('This oracle has no plugin. sibyl plugin new <name> creates one.')
  for (const { headline } of problems)
    lines.push('', styles.error(`The oracle does not start: ${cleanLine(headline)}.`))
  if (problems.length > 0) lines.push('Run sibyl doctor for the fix.')
  io.stdout.write(`${asCalled(lines.join('\n'), io.env)}\n`)
}

interface Layout {
  readonly styles: Styles
  readonly columns: number
  /** The width of the longest name. */
  readonly width: number
}

const linesOf = (plugin: Plugin, { styles, columns, width }: Layout): string[] => {
  const { bold, dim } = styles
  const name = cleanLine(plugin.name)
  const state = plugin.state.padEnd('available'.length)
  const origin = `${plugin.bundled ? 'bundled' : 'own'} ${cleanLine(plugin.version)}`
  const others = 2 + state.length + 2 + displayWidth(origin)
  const gap = Math.max(0, Math.min(width, columns - others) - displayWidth(name))
  const fits = displayWidth(name) + others <= columns
  return [
    `${bold(name)}${' '.repeat(gap)}  ${styleOfState(plugin.state, styles)(state)}${fits ? `  ${dim(origin)}` : ''}`,
    ...wrapWords(cleanLine(plugin.summary), columns - 2).map(line => `  ${line}`),
    ...factsOf(plugin).flatMap(fact => {
      const [first = '', ...more] = wrapWords(fact, columns - 4)
      return [dim(`  ${first}`), ...more.map(line => dim(`    ${line}`))]
    }),
    '',
  ]
}

const factsOf = ({ tools, toolsVary, routes, reason, state, variable }: Plugin): string[] => {
  const fixed =
    tools.length > 0 ? `${formatCount(tools.length, 'tool')}: ${tools.map(cleanLine).join(', ')}` : undefined
  const why = variable === undefined ? reason : `${variable} is blank; it enables the plugin`
  return [
    ...(why !== undefined && state !== 'available' ? [cleanLine(why)] : []),
    ...(fixed === undefined ? [] : [toolsVary ? `${fixed} and those of the turn` : fixed]),
    ...(fixed === undefined && toolsVary ? ['tools depend on the turn'] : []),
    ...(routes.length > 0 ? [routesInWords(routes)] : []),
  ]
}

/** Lists a few routes; of many only their common prefix. */
const routesInWords = (routes: Plugin['routes']): string => {
  const counted = formatCount(routes.length, 'route')
  if (routes.length > 3) {
    const beginnings = new Set(routes.map(({ path }) => `/${cleanLine(path).split('/')[1]}`))
    return `${counted} below ${[...beginnings].join(', ')}`
  }
  return `${counted}: ${routes.map(({ method, path }) => `${method.toUpperCase()} ${cleanLine(path)}`).join(', ')}`
}
