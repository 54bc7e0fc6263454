import { expect, it } from 'vitest'
import { startOracle } from './oracle-under-test.ts'
import { listServerScenarios, runScenario, runServerScenario } from './run-scenario.ts'
import { otherServerScenarios, serverScenarios } from './server-scenarios.ts'

// The core of the kit; all of it takes longer and runs by `npx -y pnpm@12 mcp-conformance`. The time until a stream is
// resumed depends on the load of the machine, and is reported only there.
it.concurrent.each(['tools_call', 'sse-retry'])('passes %s', async scenario => {
  const { passed, faults, output } = await runScenario(scenario)
  const broken = faults.filter(({ check }) => check !== 'client-sse-retry-timing')
  expect(broken, output).toEqual([])
  expect(passed, output).toBeGreaterThan(0)
})

const coreScenarios = [
  'server-initialize',
  'tools-call-elicitation',
  'elicitation-sep1330-enums',
  'dns-rebinding-protection',
]

it('an oracle passes the core of the server scenarios', async () => {
  await using oracle = await startOracle()
  const broken = []
  for (const scenario of coreScenarios) {
    const { passed, faults, output } = await runServerScenario(scenario, oracle.url)
    if (passed === 0 || faults.length > 0) broken.push({ scenario, faults, output })
  }
  expect(broken).toEqual([])
})

it('every server scenario applies, or has a reason why not', async () => {
  const known = [...serverScenarios, ...Object.keys(otherServerScenarios)]
  expect(known.toSorted()).toEqual([...(await listServerScenarios())].toSorted())
})
