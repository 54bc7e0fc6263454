import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workspaceRoot } from '@sibyl/tooling-source'
import { knownViolations } from './known-violations.ts'
import { startOracle } from './oracle-under-test.ts'
import { hasPassed, resultsPage } from './results-page.ts'
import {
  kitVersion,
  listScenarios,
  runScenario,
  runServerScenario,
  type ScenarioResult,
  sdkVersion,
} from './run-scenario.ts'
import { serverScenarios } from './server-scenarios.ts'

// Runs all client scenarios and the server scenarios that apply, or those that are named; all of them write
// benchmarks/mcp-conformance.md.
const named = process.argv.slice(2)
const ofServers = new Set<string>(serverScenarios)
const clientScenarios = named.length > 0 ? named.filter(name => !ofServers.has(name)) : await listScenarios()
const results: ScenarioResult[] = []
const serverResults: ScenarioResult[] = []

const show = (result: ScenarioResult) => {
  const { scenario } = result
  console.log(`${hasPassed(result) ? 'passed    ' : 'not passed'}  ${scenario}  ${result.ms} ms`)
  for (const { check, why } of result.faults) console.log(`            ${check}: ${why}`)
  if (named.length > 0 && !hasPassed(result)) console.log(result.output)
}

for (const scenario of clientScenarios) {
  const result = await runScenario(scenario)
  results.push(result)
  show(result)
}

{
  await using oracle = await startOracle()
  for (const scenario of serverScenarios.filter(name => named.length === 0 || named.includes(name))) {
    const result = await runServerScenario(scenario, oracle.url)
    serverResults.push(result)
    show(result)
  }
}

if (named.length === 0) {
  const date = new Date().toISOString().slice(0, 10)
  const context = { kit: kitVersion(), sdk: sdkVersion(), node: process.versions.node, date }
  writeFileSync(join(workspaceRoot, 'benchmarks/mcp-conformance.md'), resultsPage(results, serverResults, context))
  console.log('wrote benchmarks/mcp-conformance.md')
}
if ([...results, ...serverResults].some(result => !hasPassed(result) && !(result.scenario in knownViolations)))
  process.exitCode = 1
