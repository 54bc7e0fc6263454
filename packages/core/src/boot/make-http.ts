import type { OpenAPIHono } from '@hono/zod-openapi'
import type { HostIdentity, HostPeople, OriginOf, Route, ShareOf } from '@sibyl/plugin'
import type { OracleRecord, PersonFiles } from '@sibyl/protocol'
import type { Telemetry } from '@sibyl/telemetry'
import type { Auth } from '../auth/make-auth.ts'
import { maxAttachmentBytes } from '../config/core-env.ts'
import { localOrigins } from '../http/answer-headers.ts'
import type { CapabilitiesAnswer } from '../http/capabilities-route.ts'
import type { CoreEnvironment } from '../http/core-environment.ts'
import { coreRoutes } from '../http/core-routes.ts'
import { createHttpApp } from '../http/http-app.ts'
import type { OwnedRoute } from '../http/route-chain.ts'
import type { RouteRecord, RouteRegistry } from '../http/route-record.ts'
import type { RateCounter } from '../limits/rate-counter.ts'
import type { ErasureLimit } from '../people/erasure-limit.ts'
import type { RouteAddress } from '../plugins/check-routes.ts'
import type { PeopleChannels } from '../plugins/people-channels.ts'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import { pluginRoutes } from './plugin-routes.ts'
import type { Settings } from './read-settings.ts'

/** Dependencies of `makeHttp`. */
export interface HttpRequestParts {
  readonly settings: Settings
  readonly plugins: readonly ReadyPlugin[]
  readonly turns: MadeTurns
  /** The store of attachments, if a plugin provides one. */
  readonly files: () => PersonFiles | undefined
  readonly auth: Auth
  readonly identity: HostIdentity
  readonly people: HostPeople
  readonly erasureLimit: ErasureLimit
  readonly peopleChannels: PeopleChannels
  readonly url: () => string
  readonly rateCounter: RateCounter
  readonly originOf: OriginOf
  readonly shareOf: ShareOf
  readonly ping: () => Promise<boolean>
  /** When the database was last restored, in milliseconds since 1970. */
  readonly restoredAt: () => number | undefined
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilitiesAnswer
  readonly telemetry: Telemetry
  readonly record: () => OracleRecord
  readonly routes: RouteRegistry
  /** The routes of the parts of core. */
  readonly partRoutes: readonly Route[]
  readonly now: () => number
}

/** The HTTP side: the routes of core, to compare those of plugins with, then the app with all of them. */
export interface MadeHttp {
  readonly coreDefinitions: readonly RouteAddress[]
  build(): {
    readonly app: OpenAPIHono<CoreEnvironment>
    readonly routes: readonly RouteRecord[]
    /** Routes of plugins that need no UCAN although their access is one. */
    readonly opened: readonly OwnedRoute[]
  }
}

/** Creates the HTTP side; call `build` after the routes of the plugins were checked. */
export const makeHttp = (parts: HttpRequestParts): MadeHttp => {
  const { settings, turns, identity } = parts
  const { env } = settings
  const core = coreRoutes({
    health: {
      name: env.ORACLE_NAME,
      environment: env.NODE_ENV,
      ping: parts.ping,
      homePage: () =>
        env.NODE_ENV === 'development'
          ? parts.plugins.find(({ parts: { homePage } }) => homePage)?.parts.homePage
          : undefined,
      stopping: () => turns.service.closing,
      now: parts.now,
    },
    engine: turns.service,
    files: parts.files,
    maxAttachmentBytes: maxAttachmentBytes(env),
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    sessions: turns.sessions,
    replayGuard: turns.replayGuard,
    budgets: turns.budgets,
    metrics: parts.telemetry.metrics.registry,
    partRoutes: parts.partRoutes,
    auth: parts.auth,
    limits: parts,
    oracleDid: () => identity.did,
    shareOf: parts.shareOf,
    now: parts.now,
    record: parts.record,
    didDocument: () => identity.document(),
    capabilities: parts.capabilities,
    people: { people: parts.people, limit: parts.erasureLimit, identity, log: settings.log },
    pending: turns.pending,
    peopleChannels: parts.peopleChannels,
  })
  return {
    coreDefinitions: core.map(({ route }) => route.definition),
    build() {
      const routes = [...core, ...parts.plugins.flatMap(pluginRoutes)]
      const access = {
        authentication: parts.auth.authentication,
        replayGuard: turns.replayGuard,
        restoredAt: parts.restoredAt,
        operatorToken: env.ORACLE_OPERATOR_TOKEN,
        isOperatorGrant: parts.auth.isOperatorGrant,
        oracleDid: identity.did ?? identity.publicDid,
        apiKeys: parts.auth.apiKeysOf,
        challenge: challengeOf(parts),
      }
      const app = createHttpApp({
        routes,
        access,
        log: settings.log,
        telemetry: parts.telemetry,
        accessLogLevel: env.LOG_FORMAT === 'json' ? 'info' : 'debug',
        publicUrl: env.PUBLIC_URL,
        corsOrigins: env.CORS_ORIGIN.length === 0 && env.NODE_ENV === 'development' ? [localOrigins] : env.CORS_ORIGIN,
        trust: { hops: env.TRUST_PROXY_ENABLED ? env.TRUST_PROXY_HOPS : 0, from: env.TRUST_PROXY_FROM },
        counting: {
          counter: parts.rateCounter,
          originOf: parts.originOf,
          perAddress: env.RATE_LIMIT_PER_MINUTE,
          perDid: env.RATE_LIMIT_DID_PER_MINUTE,
        },
        handlerLimitMs: env.REQUEST_TIME_LIMIT_SECONDS * 1000,
        maxAttachmentBytes: maxAttachmentBytes(env),
      })
      parts.routes.complete(routes)
      return { app, routes: parts.routes.records, opened: routes.filter(({ opened }) => opened) }
    },
  }
}

/** Returns the parameters of challenges, by the endpoint of the adapter that a path belongs to. */
const challengeOf = ({ auth, plugins }: HttpRequestParts): ((path: string) => string | undefined) => {
  const endpoints = plugins.flatMap(({ parts: { endpoint, credentials } }) => (credentials ? [] : (endpoint ?? [])))
  return path => {
    const source = auth.credentials.find(({ challenge }) => challenge)
    return source?.challenge?.(endpoints.find(one => path === one || path.startsWith(`${one}/`)) ?? '')
  }
}
