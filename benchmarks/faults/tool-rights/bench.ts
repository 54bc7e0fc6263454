import type { Random } from '../frame/random.ts'
import { type Caller, makeCaller, type RightState } from './callers.ts'
import type { RightsOracle } from './rights-oracle.ts'
import { RouteJudge, type RouteVerdicts, wantedOf } from './route-verdicts.ts'
import { pickSituations, type Situation } from './situations.ts'
import type { Tally, WantedVerdicts } from './tally.ts'

/** Common dependencies of the trials of all channels. */
export interface Bench {
  readonly oracle: RightsOracle
  readonly routes: RouteJudge
  readonly tally: Tally
  /** The names of all tools. */
  readonly tools: readonly string[]
  readonly random: Random
  /** Situations of callers in the trials. */
  readonly situations: readonly Situation[]
}

/** Makes the bench of an oracle. @param count How many situations are tried. @default all */
export const makeBench = (
  oracle: RightsOracle,
  tally: Tally,
  random: Random,
  count: number = Number.POSITIVE_INFINITY,
): Bench => ({
  oracle,
  routes: new RouteJudge(oracle),
  tally,
  tools: [...oracle.tools.keys()],
  random,
  situations: pickSituations(namedAbilities({ oracle }), count, random),
})

/** The abilities that a tool names. */
export const abilitiesOf = ({ oracle }: Pick<Bench, 'oracle'>, tool: string): readonly string[] =>
  oracle.tools.get(tool)?.abilities ?? []

/** All abilities that tools name. */
export const namedAbilities = ({ oracle }: Pick<Bench, 'oracle'>): string[] => [
  ...new Set([...oracle.tools.values()].flatMap(({ abilities }) => abilities)),
]

/** Asks the routes about a caller. */
export const askRoutes = (bench: Bench, caller: Pick<Caller, 'request'>): Promise<RouteVerdicts> =>
  bench.routes.ask(caller, namedAbilities(bench))

/** Makes the caller of a trial. */
export const callerFor = (
  { oracle, random }: Bench,
  situation: Situation,
  state: RightState,
  as?: Parameters<typeof makeCaller>[1]['as'],
): Promise<Caller> => makeCaller(oracle, { situation, state, variant: random.integer(0, 1), ...(as && { as }) })

/** A caller in words. */
export const named = (caller: Caller, situation: Situation): string => `${caller.kind} of ${situation.join(' ')}`

/** Returns the expected verdicts of tools from the verdicts of the caller's routes. */
export const wantedBy =
  (bench: Bench, routes: RouteVerdicts): WantedVerdicts =>
  tool => [wantedOf(routes, abilitiesOf(bench, tool))]

/**
 * Returns the expected verdicts in a turn with the rights of two callers: it requires an ability that the routes grant
 * to both. A rejection may be that of either.
 */
export const wantedOfBoth =
  (bench: Bench, one: RouteVerdicts, other: RouteVerdicts): WantedVerdicts =>
  tool => {
    const abilities = abilitiesOf(bench, tool)
    const refused = [one, other].map(routes => wantedOf(routes, abilities)).filter(verdict => verdict !== 'run')
    if (refused.length > 0) return refused
    const both = new Map(
      [...one].map(([ability, verdict]) => [ability, verdict === 'run' ? other.get(ability)! : verdict]),
    )
    return [wantedOf(both, abilities)]
  }

/** Returns the expected verdicts after a right ended: a tool that was rejected before may give either verdict. */
export const wantedEither =
  (before: WantedVerdicts, after: WantedVerdicts): WantedVerdicts =>
  tool => {
    const first = before(tool)
    return first.includes('run') ? after(tool) : [...first, ...after(tool)]
  }
