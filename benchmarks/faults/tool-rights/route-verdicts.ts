import type { RouteRecord } from '@sibyl/core'
import type { Caller } from './callers.ts'
import type { RightsOracle } from './rights-oracle.ts'
import { type Verdict, verdictOfResponse } from './verdict.ts'

/** The verdicts of routes on one caller at one moment, by ability. */
export type RouteVerdicts = ReadonlyMap<string, Verdict>

/** Asks the routes that need an ability what they say to a caller. */
export class RouteJudge {
  readonly #oracle: RightsOracle
  readonly #bundled = new Map<string, RouteRecord>()
  /** Abilities on which a bundled route and that of the script differed. */
  readonly differences: string[] = []

  constructor(oracle: RightsOracle) {
    this.#oracle = oracle
    for (const route of oracle.app.routes()) {
      const ability = abilityOf(route)
      const known = ability === undefined ? undefined : this.#bundled.get(ability)
      if (ability === undefined || isUnfit(route) || (known && !isBetter(route, known))) continue
      this.#bundled.set(ability, route)
    }
  }

  /** The abilities for which a bundled plugin has a route. */
  get bundledAbilities(): readonly string[] {
    return [...this.#bundled.keys()]
  }

  /** Returns the verdicts of the routes for the caller. A bundled route and that of the script must agree. */
  async ask(caller: Pick<Caller, 'request'>, abilities: Iterable<string>): Promise<RouteVerdicts> {
    const verdicts = new Map<string, Verdict>()
    for (const ability of new Set(['chat/send', ...abilities])) {
      const verdict = await verdictOfResponse(await caller.request(this.#oracle.probe.pathFor(ability)))
      const bundled = this.#bundled.get(ability)
      if (bundled) {
        const other = await verdictOfResponse(await send(caller, bundled))
        if (other !== verdict)
          this.differences.push(`${ability}: ${other} at ${bundled.definition.path}, ${verdict} here`)
      }
      verdicts.set(ability, verdict)
    }
    return verdicts
  }
}

/** The verdict on a tool that follows from those of the routes: it takes a turn, and one of the tool's abilities. */
export const wantedOf = (routes: RouteVerdicts, abilities: readonly string[]): Verdict => {
  const turn = routes.get('chat/send')!
  if (turn !== 'run' || abilities.length === 0) return turn
  const verdicts = abilities.map(ability => routes.get(ability)!)
  return verdicts.includes('run') ? 'run' : verdicts[0]!
}

const abilityOf = ({ owner, access }: RouteRecord): string | undefined => {
  if (typeof access === 'string' || owner === 'core' || owner === 'probe') return undefined
  return 'ucan' in access ? access.ucan : access.orUcan
}

/** Streams that stay open would hold places. */
const isUnfit = ({ definition }: RouteRecord): boolean =>
  Object.values(definition.responses).some(
    response => 'content' in response && response.content !== undefined && 'text/event-stream' in response.content,
  )

const rank = ({ definition: { method, path } }: RouteRecord): number =>
  (method === 'get' ? 0 : 2) + (path.includes('{') ? 0 : 1)

const isBetter = (one: RouteRecord, other: RouteRecord): boolean => rank(one) < rank(other)

const send = ({ request }: Pick<Caller, 'request'>, { definition }: RouteRecord): Promise<Response> => {
  const path = definition.path.replaceAll(/\{[^}]*\}/g, 'x')
  const method = definition.method.toUpperCase()
  return request(path, method === 'GET' || method === 'DELETE' ? { method } : { method, json: {} })
}
