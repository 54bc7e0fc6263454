import type { Logger, PluginOutbox, Route } from '@sibyl/plugin'
import type { OperatorStatusRecord } from '@sibyl/protocol'
import type { Alerts } from '../../alerts/alerts.ts'
import type { TokenUsageStore } from '../../budgets/token-usage-store.ts'
import { alertRoutes } from './alert-routes.ts'
import { jobRoutes, type OperatorJobs } from './job-routes.ts'
import { type LogRouteParts, logRoute } from './log-route.ts'
import { outboxRoutes } from './outbox-routes.ts'
import { operatorStatusRoute } from './status-route.ts'
import { tokenUsageRoute } from './token-usage-route.ts'

/** Dependencies of the routes of the operator. */
export interface OperatorRouteParts {
  readonly jobs: OperatorJobs
  /** Outboxes of plugins that are not on durable jobs. */
  readonly outboxes: () => readonly PluginOutbox[]
  readonly status: () => Promise<OperatorStatusRecord>
  readonly log: Logger
  readonly liveLog: LogRouteParts
  readonly alerts: Alerts
  readonly tokenUsage: Pick<TokenUsageStore, 'summary'>
  readonly now: () => number
}

/** The routes of the operator: state, jobs, outboxes, log, alerts and tokens. */
export const operatorRoutes = ({
  jobs,
  outboxes,
  status,
  log,
  liveLog,
  alerts,
  tokenUsage,
  now,
}: OperatorRouteParts): Route[] => [
  operatorStatusRoute(status),
  ...jobRoutes(jobs, log),
  ...outboxRoutes({ jobs, outboxes, log }),
  logRoute(liveLog),
  ...alertRoutes(alerts, log),
  tokenUsageRoute(tokenUsage, now),
]
