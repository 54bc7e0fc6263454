import type { PluginRecord } from '../plugins/plugin-status.ts'

/** Maximum number of named capabilities per state. */
const maxNamed = 3

/**
 * Summarizes the capabilities of a plugin on one line: `48 of 50 ready, degraded: files, mail`. Undefined if it has
 * none.
 */
export const capabilityTally = (plugin: string, records: readonly PluginRecord[]): string | undefined => {
  const capabilities = records.filter(record => record.plugin === plugin && record.name !== plugin)
  if (capabilities.length === 0) return undefined
  const inState = (state: PluginRecord['state']) =>
    capabilities.filter(record => record.state === state).map(({ name }) => name)
  const pending = inState('pending')
  const degraded = inState('degraded')
  const ready = capabilities.length - pending.length - degraded.length
  return [
    `${ready} of ${capabilities.length} ready`,
    ...(pending.length > 0 ? [`pending: ${named(pending)}`] : []),
    ...(degraded.length > 0 ? [`degraded: ${named(degraded)}`] : []),
  ].join(', ')
}

const named = (names: readonly string[]): string => {
  const rest = names.length - maxNamed
  return rest > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${rest} more` : names.join(', ')
}
