import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { knownFaults } from './known-faults.ts'
import { hasPassed, resultsPage } from './results-page.ts'
import { kitVersion, listScenarios, runScenario, type ScenarioResult, sdkVersion } from './run-scenario.ts'

// Runs all client scenarios, or those that are named; all of them write benchmarks/mcp-conformance.md.
const named = process.argv.slice(2)
const scenarios = named.length > 0 ? named : await listScenarios()
const results: ScenarioResult[] = []

for (const scenario of scenarios) {
  const result = await runScenario(scenario)
  results.push(result)
  console.log(`${hasPassed(result) ? 'passed    ' : 'not passed'}  ${scenario}  ${result.ms} ms`)
  for (const { check, why } of result.faults) console.log(`            ${check}: ${why}`)
  if (named.length > 0 && !hasPassed(result)) console.log(result.output)
}

if (named.length === 0) {
  const date = new Date().toISOString().slice(0, 10)
  const context = { kit: kitVersion(), sdk: sdkVersion(), node: process.versions.node, date }
  writeFileSync(join(workspaceRoot, 'benchmarks/mcp-conformance.md'), resultsPage(results, context))
  console.log('wrote benchmarks/mcp-conformance.md')
}
if (results.some(result => !hasPassed(result) && !(result.scenario in knownFaults))) process.exitCode = 1
