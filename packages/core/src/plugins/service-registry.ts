import type { Host, Logger, OraclePlugin } from '@sibyl/plugin'
import type { BootProblem } from '@sibyl/plugin/host'
import type { ServiceToken } from '@sibyl/protocol'
import { switchOff } from '../config/env-problem.ts'
import { coreErrors } from '../errors/core-errors.ts'
import { pluginProblem } from './plugin-problem.ts'

/** The two ways in which a plugin requests a service of another. */
export type PluginServices = Pick<Host, 'service' | 'optionalService'>

/** The services of plugins, by the names of their tokens. */
export class ServiceRegistry {
  readonly #log: Logger
  readonly #offers = new Map<string, { readonly plugin: string; readonly service: unknown }>()

  constructor(log: Logger) {
    this.#log = log
  }

  /**
   * Adds the services of a plugin: a list of `provide(token, service)`.
   *
   * @returns its problems
   */
  add(plugin: string, given: unknown): BootProblem[] {
    const services = readServices(given)
    if (!services) {
      const violation = 'returned services that are not a list of provide(token, service)'
      return [
        pluginProblem(
          { code: 'plugin_parts_invalid', plugin },
          violation,
          'Write services: [provide(token, service)].',
        ),
      ]
    }
    return services.flatMap(([token, service]) => {
      const other = this.#offers.get(token.name)
      if (other) return [serviceTaken(token.name, other.plugin, plugin)]
      this.#offers.set(token.name, { plugin, service })
      return []
    })
  }

  /** Returns the service of a token from any plugin: for core, which knows no plugin by name. */
  find<Service>(token: ServiceToken<Service>): Service | undefined {
    return this.#offers.get(token.name)?.service as Service | undefined
  }

  /**
   * Returns the services that a plugin may request: those of plugins in `requires`, and existing ones of those in
   * `uses`.
   */
  for({ name, requires, uses }: Pick<OraclePlugin, 'name' | 'requires' | 'uses'>): PluginServices {
    return {
      service: token => {
        const offer = this.#offers.get(token.name)
        if (!offer || !requires.includes(offer.plugin)) throw serviceMissing(name, token.name, offer?.plugin)
        return offer.service as never
      },
      optionalService: token => {
        const offer = this.#offers.get(token.name)
        if (!offer) return undefined
        if (uses.includes(offer.plugin) || requires.includes(offer.plugin)) return offer.service as never
        this.#log.warn('a plugin requests a service of a plugin that is not in its uses', {
          plugin: name,
          service: token.name,
          provider: offer.plugin,
        })
        return undefined
      },
    }
  }
}

type Provided = readonly [{ readonly name: string }, unknown]

const readServices = (given: unknown = []): readonly Provided[] | undefined =>
  Array.isArray(given) && given.every(isProvided) ? given : undefined

const isProvided = (value: unknown): value is Provided =>
  Array.isArray(value) && value.length === 2 && typeof value[0]?.name === 'string' && value[0].name !== ''

const serviceTaken = (service: string, one: string, other: string): BootProblem => ({
  code: 'service_taken',
  headline: `Plugins '${one}' and '${other}' both provide the service '${service}'`,
  lines: [`Disable one of them, such as ${switchOff(other)}`],
  plugin: other,
})

/** @param provider The plugin that provides it, if that one is not in `requires`. */
const serviceMissing = (plugin: string, service: string, provider: string | undefined) =>
  coreErrors.service_missing(
    {
      plugin,
      service,
      problem:
        provider === undefined
          ? ', which no plugin set up before it provides'
          : ` of '${provider}': add '${provider}' to its requires`,
    },
    { facts: { plugin, service, provider } },
  )
