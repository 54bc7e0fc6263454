import type { OracleInspection } from '@sibyl/core/records'
import { cleanLine } from '../../../output/clean-text.ts'
import { formatCount } from '../../../output/format.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

/** Checks for errors that prevent a start, the states of the plugins, and unused variables. */
export const checkPlugins = async ({ inspection }: DoctorContext): Promise<Finding[]> => {
  const found = await inspection
  if (!found) return []
  const start = findingsOf('Project', 'start')
  const plugins = findingsOf('Plugins', 'plugins')
  const variables = findingsOf('Plugins', 'variables')
  const problems = found.problems.map(({ headline, lines }) =>
    start.fail(
      `The oracle does not start: ${cleanLine(headline)}.`,
      cleanLine(lines.join(' ')) || 'Read the log of its start.',
    ),
  )
  const set = found.variables.filter(({ from }) => from === 'environment' || from === 'config').length
  const adapters = found.plugins.filter(({ adapter }) => adapter)
  const others = found.plugins.filter(({ adapter }) => !adapter)
  const running = others.filter(({ state }) => state === 'loaded' || state === 'available')
  const unread = found.unknownVariables.map(({ name, meant }) =>
    variables.warn(
      `The variable ${cleanLine(name)} is unknown.`,
      meant === undefined ? 'Remove it from .env, or check its name.' : `Did you mean ${cleanLine(meant)}?`,
    ),
  )
  if (problems.length > 0) return [...problems, ...unread]
  return [
    start.ok(`${cleanLine(found.oracle.name)} starts with these settings`),
    variables.ok(`${formatCount(set, 'variable')} set, all valid`),
    plugins.ok(`${formatCount(running.length, 'plugin')}: ${running.map(({ name }) => cleanLine(name)).join(', ')}`),
    ...adapterFindings(adapters),
    ...others.flatMap(({ name, state, reason = '', variable }) => {
      const named = cleanLine(name)
      if (state === 'excluded') {
        const why = variable === undefined ? cleanLine(reason) || 'switched off' : `${variable} is blank`
        return [plugins.ok(`${named} is excluded: ${why}`)]
      }
      if (state === 'failed')
        return [plugins.fail(`${named} failed: ${cleanLine(reason)}`, 'Read the log of its start.')]
      if (state === 'pending') return [plugins.ok(`${named} connects when the oracle runs`)]
      if (state === 'degraded')
        return [plugins.warn(`${named} is degraded: ${cleanLine(reason)}`, 'Read the log of its start.')]
      return []
    }),
    ...unread,
  ]
}

/** Returns the adapters that are on, with their paths, and those that are off. */
const adapterFindings = (adapters: OracleInspection['plugins']): Finding[] => {
  const { ok, fail } = findingsOf('Plugins', 'adapters')
  const on = adapters.filter(({ state }) => state === 'loaded' || state === 'available')
  const off = adapters.filter(({ state }) => state === 'excluded').map(({ name }) => cleanLine(name))
  const failed = adapters.filter(({ state }) => state === 'failed')
  const shown = on.map(({ name, adapter }) => `${cleanLine(name)} at ${cleanLine(adapter?.endpoint ?? '/')}`)
  return [
    ...(on.length > 0 ? [ok(`${formatCount(on.length, 'adapter')}: ${shown.join(', ')}`)] : []),
    ...(off.length > 0 ? [ok(`${off.join(', ')} off: not in ORACLE_ADAPTERS`)] : []),
    ...failed.map(({ name, reason = '' }) =>
      fail(`${cleanLine(name)} failed: ${cleanLine(reason)}`, 'Read the log of its start.'),
    ),
  ]
}
