import type { PluginStatus } from '../plugins/plugin-status.ts'
import type { PluginServices, ServiceRegistry } from '../plugins/service-registry.ts'
import { type CorePorts, corePorts } from '../ports/core-ports.ts'
import { coreVersion } from './core-version.ts'
import type { HttpRequestParts } from './make-http.ts'

export interface PortSources extends Omit<HttpRequestParts, 'people' | 'holds' | 'partRoutes'> {
  readonly status: PluginStatus
}

export const makePorts = (sources: PortSources): CorePorts => {
  const { opened, kernel, plugins, status, turns, peopleChannels, routes, capabilities, record } = sources
  const { settings, storage } = opened
  const { env, log, models } = settings
  const { auth, jobs, address, rateCounter, pluginCounter } = kernel
  return {
    env,
    version: coreVersion,
    storage,
    jobs,
    log,
    redact: settings.redactor.redact,
    followLog: write => settings.logTap.follow(write),
    models,
    turns: turns.service,
    sessions: turns.sessions,
    tokenUsage: turns.tokenUsage,
    systemPrompt: turns.systemPrompt,
    reserveTokens: turns.reserveTokens,
    sessionCall: turns.sessionCall,
    peopleChannels,
    oracleRecord: record,
    url: () => address.url,
    routes: () => routes.records,
    access: () => ({
      access: env.ORACLE_ACCESS,
      operatorToken: env.ORACLE_OPERATOR_TOKEN !== undefined,
      controllers: [...env.ORACLE_CONTROLLERS],
      apiKeys: auth.apiKeys(),
    }),
    tokensUsed: () => turns.budgets.usedByAll(),
    limitUsage: () => [...rateCounter.usage(), ...pluginCounter.usage()],
    outboxes: () => plugins.flatMap(({ parts }) => parts.outboxes ?? []),
    plugins: () => status.list(),
    capabilities: () => capabilities('operator'),
  }
}

/** Returns the services that a part of core may request: the ports, and those of all plugins. */
export const withPorts = (ports: CorePorts, services: ServiceRegistry): PluginServices => ({
  service: token => (token.name === corePorts.name ? ports : services.find(token)) as never,
  optionalService: token => services.find(token),
})
