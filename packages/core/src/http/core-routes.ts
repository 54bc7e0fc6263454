import type { OriginOf, Route, ShareOf } from '@sibyl/plugin'
import type { DidDocument, OracleRecord, PersonFiles } from '@sibyl/protocol'
import type { MetricsRegistry } from '@sibyl/telemetry'
import type { Auth } from '../auth/make-auth.ts'
import type { ReplayGuard } from '../auth/revocation-store.ts'
import type { TokenBudgets } from '../budgets/token-budgets.ts'
import type { PeopleChannels } from '../plugins/people-channels.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { PendingApprovals } from '../turn/approvals/pending-approvals.ts'
import type { TurnService } from '../turn/turn-service.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { approvalRoutes } from './approval-routes.ts'
import { callerRoute } from './caller-route.ts'
import { type CapabilitiesAnswer, capabilitiesRoute } from './capabilities-route.ts'
import { chatRoutes } from './chat-routes.ts'
import { delegationRoutes } from './delegation-routes.ts'
import { type HealthParts, healthRoutes } from './health-routes.ts'
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
  readonly engine: TurnService
  /** The store of attachments, if a plugin provides one. */
  readonly files: () => PersonFiles | undefined
  /** The most bytes of the attachments of one message. */
  readonly maxAttachmentBytes: number
  /** PUBLIC_URL without a slash at its end. */
  readonly publicUrl: string | undefined
  readonly sessions: SessionStore
  readonly replayGuard: ReplayGuard
  readonly budgets: TokenBudgets
  readonly metrics: MetricsRegistry
  /** The routes of the parts of core. */
  readonly partRoutes: readonly Route[]
  readonly record: () => OracleRecord
  readonly didDocument: () => Promise<DidDocument>
  readonly capabilities: (forWhom: 'operator' | 'public') => CapabilitiesAnswer
  readonly auth: Auth
  readonly limits: { readonly shareOf: ShareOf; readonly originOf: OriginOf }
  readonly people: PeopleRoutesDependencies
  readonly pending: PendingApprovals
  readonly peopleChannels: PeopleChannels
  /** Returns the did:key of the signing key. */
  readonly oracleDid: () => string | undefined
  readonly now: () => number
}

/** All routes of core. */
export const coreRoutes = (parts: CoreRouteParts): OwnedRoute[] => [
  ...[
    ...healthRoutes(parts.health),
    ...wellKnownRoutes(parts.record, parts.didDocument),
    ...sessionRoutes(parts),
    capabilitiesRoute(parts.capabilities),
    usageRoute(parts.budgets),
    ...approvalRoutes(parts.pending, parts.peopleChannels),
    callerRoute(parts.auth),
    ...peopleRoutes(parts.people),
    metricsRoute(parts.metrics),
    ...parts.partRoutes,
    ...delegationRoutes(parts.auth, parts.oracleDid, parts.limits.shareOf, parts.now),
    ...apiKeyRoutes(parts.auth, parts.limits.shareOf, parts.now),
    ...revocationRoutes(parts.auth, parts.limits, parts.now),
  ].map(route => ({ owner: 'core', route })),
  ...chatRoutes(parts),
  ...tokenRoutes(parts.auth, parts.now),
]
