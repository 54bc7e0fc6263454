import type { LanguageModels } from '@sibyl/models'
import type { Logger, PluginOutbox } from '@sibyl/plugin'
import { type OracleRecord, type ServiceToken, serviceToken } from '@sibyl/protocol'
import type { OpenedJobs, Storage } from '@sibyl/storage'
import type { TokensUsed } from '../budgets/token-budgets.ts'
import type { CoreEnv } from '../config/core-env.ts'
import type { CapabilitiesAnswer } from '../http/capabilities-route.ts'
import type { RouteRecord } from '../http/route-record.ts'
import type { LimitUsage } from '../limits/rate-counter.ts'
import type { PeopleChannels } from '../plugins/people-channels.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'
import type { OperatorAccess } from '../records/operator-access.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import type { TurnService } from '../turn/turn-service.ts'

/** State and services of core for its parts, such as `@sibyl/operations`, beside the host of every plugin. */
export interface CorePorts
  extends Pick<MadeTurns, 'sessions' | 'tokenUsage' | 'systemPrompt' | 'reserveTokens' | 'sessionCall'> {
  readonly env: CoreEnv
  readonly version: string
  readonly storage: Storage
  /** The jobs of all owners. */
  readonly jobs: OpenedJobs
  readonly log: Logger
  /** Redacts secrets, also those that became known after the start. */
  readonly redact: (text: string) => string
  /** Calls a function with each line of the log as JSON, beginning with those of the start; only one function follows. */
  readonly followLog: (write: (line: string) => void) => void
  readonly models: LanguageModels
  /** The turns of this process. */
  readonly turns: Pick<TurnService, 'closing' | 'runningTurns' | 'openStreams'>
  /** The addresses of people in all plugins that are channels. */
  readonly peopleChannels: PeopleChannels
  /** Returns the settings that give access. */
  readonly access: () => OperatorAccess
  /** Reads the tokens of today. */
  readonly tokensUsed: () => Promise<TokensUsed>
  /** Returns the use of the limits of core and plugins in this process. */
  readonly limitUsage: () => readonly LimitUsage[]
  /** Returns the outboxes of plugins that are not on durable jobs. */
  readonly outboxes: () => readonly PluginOutbox[]
  /** Returns the response of `GET /.well-known/oracle.json`. */
  readonly oracleRecord: () => OracleRecord
  /** Returns the public URL, without a slash at its end. */
  readonly url: () => string
  /** Returns every route, those of core first; none before the oracle is booted. */
  readonly routes: () => readonly RouteRecord[]
  readonly plugins: () => readonly PluginRecord[]
  /** Returns the capabilities and adapters, with the full reasons of their states. */
  readonly capabilities: () => CapabilitiesAnswer
}

/** The token of the ports of core, which only a part of core may request. */
export const corePorts: ServiceToken<CorePorts> = serviceToken('core/ports')
