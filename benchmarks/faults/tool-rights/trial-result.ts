import { type Bench, namedAbilities } from './bench.ts'
import type { NotedTools } from './noted-plugins.ts'
import type { RightsOracle } from './rights-oracle.ts'

/** The result of a trial in a process of its own. */
export interface TrialResult {
  readonly tools: number
  readonly toolsOfServers: number
  /** Tools that a caller with all abilities is offered, and that were not tried. */
  readonly untried: readonly string[]
  /** Tools that write, name no ability and are not listed with a reason. */
  readonly openWrites: readonly string[]
  readonly abilities: number
  /** Abilities that no route of a bundled plugin needs: a route of the script stands in for it. */
  readonly withoutRoute: readonly string[]
  readonly situations: number
  /** Number of compared cells, by channel and state. */
  readonly cells: Readonly<Record<string, number>>
  /** All cells. */
  readonly count: number
  readonly verdicts: Readonly<Record<string, number>>
  /** Abilities for which a bundled route and that of the script differed. */
  readonly routeDifferences: readonly string[]
  readonly differences: readonly string[]
}

/** Tools that are offered and not tried, with the reason. */
const notTried: Readonly<Record<string, string>> = {
  list_capabilities: 'of core: lists capabilities, and for each the abilities that the caller lacks',
  load_capability: 'of core: offers tools, each of which is tried',
  run_part: 'of this script: runs the sub-turns',
}

/** Tools that write and may name no ability, with the reason. */
const freeWrites: Readonly<Record<string, string>> = {}

/** Lists the tools that a caller with all abilities is offered, and that are neither tried nor listed here. */
const untried = ({ offered, tools }: Pick<RightsOracle, 'offered' | 'tools'>): string[] =>
  offered.filter(name => !tools.has(name) && !(name in notTried))

/** Lists the tools that write, name no ability and are not listed here. */
const openWrites = (tools: NotedTools): string[] =>
  [...tools].flatMap(([name, { effect, abilities }]) =>
    effect !== 'read' && abilities.length === 0 && !(name in freeWrites) ? [name] : [],
  )

/** Gathers the result of a bench whose trials are over. */
export const resultOf = (bench: Bench): TrialResult => {
  const { oracle, tally, routes } = bench
  const abilities = namedAbilities(bench)
  return {
    tools: bench.tools.length,
    toolsOfServers: [...oracle.tools.values()].filter(({ isOfServer }) => isOfServer).length,
    untried: untried(oracle),
    openWrites: openWrites(oracle.tools),
    abilities: abilities.length,
    withoutRoute: abilities.filter(ability => !routes.bundledAbilities.includes(ability)),
    situations: bench.situations.length,
    cells: tally.cells,
    count: tally.count,
    verdicts: tally.verdicts,
    routeDifferences: routes.differences,
    differences: tally.differences,
  }
}
