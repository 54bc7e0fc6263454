import type { Route, ShareOf } from '@sibyl/plugin'
import type { OriginOf } from '@sibyl/plugin/host'
import type { DidDocument, OracleRecord } from '@sibyl/protocol'
import type { MetricsRegistry } from '@sibyl/telemetry'
import type { Auth } from '../auth/make-auth.ts'
import type { PeopleChannels } from '../plugins/people-channels.ts'
import type { MadeTurns } from '../turn/make-turns.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { approvalRoutes } from './approval-routes.ts'
import { callerRoute } from './caller-route.ts'
import { type CapabilitiesAnswer, capabilitiesRoute } from './capabilities-route.ts'
import { chatRoutes } from './chat-routes.ts'
import { delegationRoutes } from './delegation-routes.ts'
import { grantRoutes } from './grant-routes.ts'
import { type HealthParts, healthRoutes } from './health-routes.ts'
import { type HoldRoutesDependencies, holdRoutes } from './hold-routes.ts'
import { metricsRoute } from './metrics-route.ts'
import { type PeopleRoutesDependencies, peopleRoutes } from './people-routes.ts'
import { revocationRoutes } from './revocation-routes.ts'
import type { OwnedRoute } from './route-chain.ts'
import { sessionRoutes } from './session-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { usageRoute } from './usage-route.ts'
import { wellKnownRoutes } from './well-known-routes.ts'

/** Dependencies of the routes of core. */
export interface CoreRouteParts {
  readonly health: HealthParts
  readonly turns: MadeTurns
  /** The most bytes of the attachments of one message. */
  readonly maxAttachmentBytes: number
  /** PUBLIC_URL without a slash at its end. */
  readonly publicUrl: string | undefined
  readonly metrics: MetricsRegistry
  /** The routes of the parts of core. */
  readonly partRoutes: readonly Route[]
  readonly record: () => OracleRecord
  readonly didDocument: () => Promise<DidDocument>
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilitiesAnswer
  readonly auth: Auth
  readonly limits: { readonly shareOf: ShareOf; readonly originOf: OriginOf }
  readonly people: PeopleRoutesDependencies & HoldRoutesDependencies
  readonly peopleChannels: PeopleChannels
  /** Returns the did:key of the signing key. */
  readonly oracleDid: () => string | undefined
  readonly now: () => number
}

/** All routes of core. */
export const coreRoutes = (parts: CoreRouteParts): OwnedRoute[] => {
  const { service: engine, sessions, files, replayGuard, budgets, pending } = parts.turns
  const chat = { ...parts, engine, sessions, files, replayGuard }
  return [
    ...[
      ...healthRoutes(parts.health),
      ...wellKnownRoutes(parts.record, parts.didDocument),
      ...sessionRoutes(chat),
      capabilitiesRoute(parts.capabilities),
      usageRoute(budgets),
      ...approvalRoutes(pending, parts.peopleChannels),
      callerRoute(parts.auth),
      ...peopleRoutes(parts.people),
      ...holdRoutes(parts.people),
      metricsRoute(parts.metrics),
      ...parts.partRoutes,
      ...delegationRoutes(parts.auth, parts.oracleDid, parts.limits.shareOf, parts.now),
      ...grantRoutes(parts.auth, parts.limits.shareOf, parts.now),
      ...apiKeyRoutes(parts.auth, parts.limits.shareOf, parts.now),
      ...revocationRoutes(parts.auth, parts.limits, parts.now),
    ].map(route => ({ owner: 'core', route })),
    ...chatRoutes(chat),
    ...tokenRoutes(parts.auth, parts.now),
  ]
}
