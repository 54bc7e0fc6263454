import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Host, Route } from '@sibyl/plugin'
import type { OracleRecord } from '@sibyl/protocol'
import { maxAttachmentBytes } from '../config/core-env.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { localOrigins } from '../http/answer-headers.ts'
import { apiKeyRoutes } from '../http/api-key-routes.ts'
import { approvalRoutes } from '../http/approval-routes.ts'
import { callerRoute } from '../http/caller-route.ts'
import { type CapabilitiesAnswer, capabilitiesRoute } from '../http/capabilities-route.ts'
import { chatRoutes } from '../http/chat-routes.ts'
import type { CoreEnvironment } from '../http/core-environment.ts'
import { LoadGauge } from '../http/count-request.ts'
import { delegationRoutes } from '../http/delegation-routes.ts'
import { grantRoutes } from '../http/grant-routes.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { holdRoutes } from '../http/hold-routes.ts'
import { createHttpApp } from '../http/http-app.ts'
import { metricsRoute } from '../http/metrics-route.ts'
import { peopleRoutes } from '../http/people-routes.ts'
import { revocationRoutes } from '../http/revocation-routes.ts'
import type { OwnedRoute } from '../http/route-chain.ts'
import type { RouteRecord, RouteRegistry } from '../http/route-record.ts'
import { sessionRoutes } from '../http/session-routes.ts'
import { tokenRoutes } from '../http/token-routes.ts'
import { usageRoute } from '../http/usage-route.ts'
import { wellKnownRoutes } from '../http/well-known-routes.ts'
import { createErasureLimit } from '../people/erasure-limit.ts'
import type { HoldStore } from '../people/hold-store.ts'
import type { RouteAddress } from '../plugins/check-routes.ts'
import type { PeopleChannels } from '../plugins/people-channels.ts'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import type { Kernel, Opened } from './make-kernel.ts'
import { pluginRoutes } from './plugin-routes.ts'

export interface HttpRequestParts {
  readonly opened: Opened
  readonly kernel: Kernel
  readonly plugins: readonly ReadyPlugin[]
  readonly turns: MadeTurns
  readonly people: Host['people']
  readonly holds: HoldStore
  readonly peopleChannels: PeopleChannels
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilitiesAnswer
  readonly record: () => OracleRecord
  readonly routes: RouteRegistry
  /** The routes of the parts of core. */
  readonly partRoutes: readonly Route[]
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
  const { opened, kernel, turns } = parts
  const { settings } = opened
  const { auth, identity, telemetry, originOf } = kernel
  const { env } = settings
  const core = coreRoutes(parts)
  return {
    coreDefinitions: core.map(({ route }) => route.definition),
    build() {
      const routes = [...core, ...parts.plugins.flatMap(pluginRoutes)]
      const access = {
        authentication: auth.authentication,
        replayGuard: turns.replayGuard,
        restores: kernel.restores,
        operatorToken: env.ORACLE_OPERATOR_TOKEN,
        isOperatorGrant: auth.isOperatorGrant,
        oracleDid: identity.did ?? identity.publicDid,
        apiKeys: auth.apiKeysOf,
        challenge: challengeOf(parts),
      }
      const app = createHttpApp({
        routes,
        access,
        log: settings.log,
        telemetry,
        accessLogLevel: env.LOG_FORMAT === 'json' ? 'info' : 'debug',
        publicUrl: env.PUBLIC_URL,
        corsOrigins: env.CORS_ORIGIN.length === 0 && env.NODE_ENV === 'development' ? [localOrigins] : env.CORS_ORIGIN,
        trust: { hops: env.TRUST_PROXY_ENABLED ? env.TRUST_PROXY_HOPS : 0, from: env.TRUST_PROXY_FROM },
        counting: {
          counter: kernel.rateCounter,
          originOf,
          perAddress: env.RATE_LIMIT_PER_MINUTE,
          perDid: env.RATE_LIMIT_DID_PER_MINUTE,
          load: new LoadGauge(),
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
const challengeOf = ({ kernel: { auth }, plugins }: HttpRequestParts): ((path: string) => string | undefined) => {
  const endpoints = plugins.flatMap(({ parts: { endpoint, credentials } }) => (credentials ? [] : (endpoint ?? [])))
  return path => {
    const source = auth.credentials.find(({ challenge }) => challenge)
    return source?.challenge?.(endpoints.find(one => path === one || path.startsWith(`${one}/`)) ?? '')
  }
}

const coreRoutes = (parts: HttpRequestParts): OwnedRoute[] => {
  const { opened, kernel, turns, people, holds } = parts
  const { settings, storage } = opened
  const { auth, identity, telemetry, shareOf, now } = kernel
  const { env, log } = settings
  const { service: engine, sessions, files, replayGuard, budgets, pending } = turns
  const chat = {
    ...{ engine, sessions, files, replayGuard, now },
    maxAttachmentBytes: maxAttachmentBytes(env),
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
  }
  const health = {
    name: env.ORACLE_NAME,
    environment: env.NODE_ENV,
    ping: () => storage.ping(),
    checking: () => storage.isChecking,
    homePage: () =>
      env.NODE_ENV === 'development'
        ? parts.plugins.find(({ parts: { homePage } }) => homePage)?.parts.homePage
        : undefined,
    clockOffsetMs: () => kernel.jobs.clock.offsetMs,
    stopping: () => engine.closing,
    now,
  }
  return [
    ...[
      ...healthRoutes(health),
      ...wellKnownRoutes(parts.record, () => identity.document()),
      ...sessionRoutes(chat),
      capabilitiesRoute(parts.capabilities),
      usageRoute(budgets),
      ...approvalRoutes(pending, parts.peopleChannels),
      callerRoute(auth),
      ...peopleRoutes({ people, limit: createErasureLimit(storage.for<CoreTables>(), now), log }),
      ...holdRoutes({ holds, now, log }),
      metricsRoute(telemetry.metrics.registry),
      ...parts.partRoutes,
      ...delegationRoutes(auth, () => identity.did, shareOf, now),
      ...grantRoutes(auth, shareOf, now),
      ...apiKeyRoutes(auth, shareOf, now),
      ...revocationRoutes(auth, kernel, now),
    ].map(route => ({ owner: 'core', route })),
    ...chatRoutes(chat),
    ...tokenRoutes(auth, now),
  ]
}
