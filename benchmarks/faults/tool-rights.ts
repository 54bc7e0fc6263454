// Every tool of every bundled plugin on every channel: it runs where a route that needs its ability lets the same caller in
// at that moment, and is refused for the same reason elsewhere.
import { runFault } from './frame/run-fault.ts'
import { trialResult } from './frame/run-trial.ts'
import type { TrialResult } from './tool-rights/trial-result.ts'

const shown = 10

/** The middle of a long text is left out. */
const shortened = (text: string): string => (text.length > 300 ? `${text.slice(0, 140)} … ${text.slice(-150)}` : text)

await runFault({
  name: 'tool-rights',
  count: 1_000,
  quick: 5,
  defences: [
    'abilities-at-calls',
    'abilities-of-tools',
    'approvals-narrow',
    'grants-at-calls',
    'grants-of-both',
    'approvals-by-present-keys',
    'keys-narrow-later',
  ],
  async run(fault) {
    const started = performance.now()
    const result = await trialResult<TrialResult>(fault, 'tool-rights/trial.ts', [
      String(fault.seed),
      String(fault.count),
    ])

    fault.figure('tools', `${result.tools}, ${result.toolsOfServers} of them of MCP servers`)
    fault.atMost('tools that are offered and were not tried', result.untried.length, 0)
    fault.atMost('tools that write and name no ability', result.openWrites.length, 0)
    for (const one of [...result.untried, ...result.openWrites]) fault.figure('tool', one)
    fault.figure('abilities', `${result.abilities}, of which no bundled route needs ${result.withoutRoute.join(' ')}`)
    fault.atMost('abilities on which two routes differ', result.routeDifferences.length, 0)
    for (const one of result.routeDifferences.slice(0, shown)) fault.figure('two routes', one)
    fault.figure('situations', result.situations)
    fault.figure('cells', JSON.stringify(result.cells))
    fault.atLeast('cells in all', result.count, result.tools * result.situations)
    fault.figure('seconds', Math.round((performance.now() - started) / 1000))
    for (const verdict of ['run', 'ability', 'revoked', 'expired', 'removed']) {
      fault.atLeast(`cells with the verdict ${verdict}`, result.verdicts[verdict] ?? 0, result.tools)
    }
    fault.atMost('differences', result.differences.length, 0)
    for (const one of result.differences.slice(0, shown)) fault.figure('difference', shortened(one))
  },
})
