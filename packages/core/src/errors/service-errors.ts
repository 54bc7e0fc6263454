import { OracleError } from '@sibyl/plugin'

/** Thrown by `host.service` when no plugin in `requires` provides the service. */
export class ServiceMissingError extends OracleError {
  readonly code = 'service_missing'

  /**
   * @param plugin The requesting plugin.
   * @param service The name of the token.
   * @param provider The plugin that provides it, if that one is not in `requires`.
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
