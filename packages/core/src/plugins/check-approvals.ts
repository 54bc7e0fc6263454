import type { BootProblem } from '@sibyl/plugin/host'
import { toolHint } from './check-examples.ts'
import { pluginProblem } from './plugin-problem.ts'

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
      const violation = `has an approval for the unknown tool '${name.slice(0, 80)}' (manifest.approvals)`
      return pluginProblem({ code: 'manifest_approvals_invalid', plugin }, violation, toolHint(name, tools))
    })
}
