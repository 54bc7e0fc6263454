import { expect, it } from 'vitest'
import { runScenario } from './run-scenario.ts'

// The core of the kit; all of it takes longer and runs by `npx -y pnpm@12 mcp-conformance`. The time until a stream is
// resumed depends on the load of the machine, and is reported only there.
it.concurrent.each(['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'])(
  'passes %s',
  async scenario => {
    const { passed, faults, output } = await runScenario(scenario)
    const broken = faults.filter(({ check }) => check !== 'client-sse-retry-timing')
    expect(broken, output).toEqual([])
    expect(passed, output).toBeGreaterThan(0)
  },
)
