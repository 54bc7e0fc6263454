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
  const running = found.plugins.filter(({ state }) => state === 'loaded' || state === 'available')
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
    ...found.plugins.flatMap(({ name, state, reason = '', variable }) => {
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
