import { OracleError } from '@sibyl/plugin'

/** Thrown by `host.service` when no plugin in `requires` offers the service. */
export class ServiceMissingError extends OracleError {
  readonly code = 'service_missing'

  /**
   * @param plugin The plugin that asks.
   * @param service The token's name.
   * @param provider The plugin that offers it, when that one is not in `requires`.
   */
  constructor(plugin: string, service: string, provider?: string) {
    super(
      provider === undefined
        ? `Plugin '${plugin}' requests the service '${service}', which no plugin set up before it provides.`
        : `Plugin '${plugin}' requests the service '${service}' of '${provider}': add '${provider}' to its requires.`,
      { plugin, service, provider },
    )
  }
}
