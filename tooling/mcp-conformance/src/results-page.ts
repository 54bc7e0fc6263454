import { knownViolations } from './known-violations.ts'
import type { ScenarioResult } from './run-scenario.ts'
import { otherServerScenarios } from './server-scenarios.ts'

/** The conditions of the results. */
export interface ResultsContext {
  readonly kit: string
  readonly sdk: string
  readonly node: string
  readonly date: string
}

/** Returns the page of benchmarks with the result of each scenario. */
export const resultsPage = (
  results: readonly ScenarioResult[],
  serverResults: readonly ScenarioResult[],
  { kit, sdk, node, date }: ResultsContext,
): string => {
  const passed = results.filter(hasPassed)
  const failed = [...results, ...serverResults].filter(result => !hasPassed(result))
  const reasons = failed.map(
    ({ scenario, faults }) =>
      `- \`${scenario}\`: ${knownViolations[scenario] ?? faults.map(({ check, why }) => `${check}: ${why}`).join('; ')}`,
  )
  return [
    '# MCP conformance',
    '',
    'The client scenarios of the official conformance kit of MCP, each against a program that is built on',
    '`@sibyl/mcp-client` ([tooling/mcp-conformance](../tooling/mcp-conformance/src/client-program.ts)). This page is written by',
    '`npx -y pnpm@12 mcp-conformance`.',
    '',
    `${passed.length} of ${results.length} scenarios passed, on ${date}, with \`@modelcontextprotocol/conformance\` ${kit}, ` +
      `\`@modelcontextprotocol/client\` ${sdk} and Node ${node}.`,
    '',
    ...table(['Scenario', 'Result', 'Checks'], rowsOf(results)),
    '',
    '## An oracle as the server',
    '',
    'The server scenarios that apply, against an oracle with `@sibyl/adapter-mcp`',
    '([tooling/mcp-conformance](../tooling/mcp-conformance/src/oracle-under-test.ts)). ' +
      `${serverResults.filter(hasPassed).length} of ${serverResults.length} passed.`,
    '',
    ...table(['Scenario', 'Result', 'Checks'], rowsOf(serverResults)),
    '',
    'These do not apply:',
    '',
    ...Object.entries(otherServerScenarios).map(([name, why]) => `- \`${name}\`: ${why}`),
    '',
    ...(reasons.length > 0 ? ['## Not passed', '', ...reasons, ''] : []),
  ].join('\n')
}

const rowsOf = (results: readonly ScenarioResult[]) =>
  results.map(result => [
    `\`${result.scenario}\``,
    hasPassed(result) ? 'passed' : 'not passed',
    `${result.passed} of ${result.passed + result.faults.length}`,
  ])

/** Whether all checks of a scenario held. */
export const hasPassed = ({ passed, faults }: ScenarioResult): boolean => passed > 0 && faults.length === 0

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)]
}
