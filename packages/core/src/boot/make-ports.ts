import type { Auth } from '../auth/make-auth.ts'
import type { CapabilitiesAnswer } from '../http/capabilities-route.ts'
import type { RouteRegistry } from '../http/route-record.ts'
import type { RateCounter } from '../limits/rate-counter.ts'
import type { ReadyPlugin, SetUpResult } from '../plugins/plugin-lifecycle.ts'
import type { PluginStatus } from '../plugins/plugin-status.ts'
import type { PluginServices } from '../plugins/service-registry.ts'
import { type CorePorts, corePorts } from '../ports/core-ports.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import { coreVersion } from './core-version.ts'
import type { Settings } from './read-settings.ts'

/** Dependencies of the ports that are not among them. */
export interface PortSources extends Pick<CorePorts, 'storage' | 'jobs' | 'peopleChannels' | 'oracleRecord' | 'url'> {
  readonly settings: Settings
  readonly plugins: readonly ReadyPlugin[]
  readonly status: PluginStatus
  readonly turns: MadeTurns
  readonly auth: Pick<Auth, 'apiKeys'>
  readonly routes: RouteRegistry
  readonly counters: readonly RateCounter[]
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilitiesAnswer
}

/** Creates the ports of core. */
export const makePorts = ({
  settings: { env, log, redactor, logTap, models },
  plugins,
  status,
  turns: { service, sessions, tokenUsage, budgets, systemPrompt, reserveTokens, sessionCall },
  auth,
  routes,
  counters,
  capabilities,
  ...given
}: PortSources): CorePorts => ({
  ...given,
  env,
  version: coreVersion,
  log,
  redact: redactor.redact,
  followLog: write => logTap.follow(write),
  models,
  turns: service,
  sessions,
  tokenUsage,
  systemPrompt,
  reserveTokens,
  sessionCall,
  routes: () => routes.records,
  access: () => ({
    access: env.ORACLE_ACCESS,
    operatorToken: env.ORACLE_OPERATOR_TOKEN !== undefined,
    controllers: [...env.ORACLE_CONTROLLERS],
    apiKeys: auth.apiKeys(),
  }),
  tokensUsed: () => budgets.usedByAll(),
  limitUsage: () => counters.flatMap(counter => counter.usage()),
  outboxes: () => plugins.flatMap(({ parts }) => parts.outboxes ?? []),
  plugins: () => status.list(),
  capabilities: () => capabilities('operator'),
})

/** Returns the services that a part of core may request: the ports, and those of all plugins. */
export const withPorts = (ports: CorePorts, { service: find }: Pick<SetUpResult, 'service'>): PluginServices => ({
  service: token => (token.name === corePorts.name ? ports : find(token)) as never,
  optionalService: find,
})
