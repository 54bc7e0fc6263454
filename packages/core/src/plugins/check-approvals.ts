import { nearNames } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'

/**
 * Checks that the `approvals` of a manifest name tools of that plugin, as far as possible without a turn: a mistyped
 * one would run without approval.
 *
 * @param tools The fixed tools by name.
 * @param mayHave Whether the plugin may have further tools, known only in a turn.
 */
export const checkApprovals = (
  plugin: string,
  approvals: readonly string[],
  tools: Readonly<Record<string, unknown>>,
  mayHave: boolean,
): BootProblem[] => {
  if (mayHave) return []
  return approvals
    .filter(name => name !== '*' && !Object.hasOwn(tools, name))
    .map(name => {
      const near = nearNames(name, Object.keys(tools))
      const names = Object.keys(tools).join(', ')
      const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It has: ${names || 'no tools'}.`
      return {
        code: 'manifest_approvals_invalid',
        headline: `Plugin '${plugin}' has an approval for the unknown tool '${name.slice(0, 80)}' (manifest.approvals)`,
        lines: [hint],
        plugin,
      }
    })
}
