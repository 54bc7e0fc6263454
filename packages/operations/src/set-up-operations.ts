import { corePorts } from '@sibyl/core/ports'
import type { Host, PluginParts } from '@sibyl/plugin'
import { guardedFetch } from '@sibyl/plugin/outbound'
import { personNotices, smsSender } from '@sibyl/protocol'
import { alertRoutes } from './alerts/alert-routes.ts'
import { makeAlerts } from './alerts/alerts.ts'
import { apiDocsRoutes } from './api-docs/api-docs-routes.ts'
import { compareRoute } from './compare/compare-route.ts'
import { jobRoutes } from './jobs/job-routes.ts'
import { outboxRoutes } from './jobs/outbox-routes.ts'
import { LogRing } from './log/log-ring.ts'
import { logRoute } from './log/log-route.ts'
import { operatorAccessRoute } from './people/operator-access-route.ts'
import { operatorPeopleRoutes } from './people/operator-people-routes.ts'
import { promptRoute } from './prompts/prompt-route.ts'
import { operatorStatusRoute } from './status/operator-status-route.ts'
import { storageRoute } from './status/storage-route.ts'
import { tokenUsageRoute } from './status/token-usage-route.ts'
import { turnRoutes } from './timings/turn-routes.ts'

/** Sets up the operations of an oracle on the ports of core. */
export const setUpOperations = (host: Host): PluginParts => {
  const ports = host.service(corePorts)
  const { env, jobs, log, redact } = ports
  const { ending } = host
  const { shareOf } = host.limits
  const now = () => host.clock.now()
  const ring = new LogRing()
  ports.followLog(line => ring.write(line))
  const alerts = makeAlerts(ports, host.jobs, {
    fetch: guardedFetch,
    allowPrivate: env.ALERT_WEBHOOK_PRIVATE === 'on',
    sign: bytes => host.identity.sign(bytes),
    sms: () => host.optionalService(smsSender),
    phones: () => host.optionalService(personNotices.sms),
    matrix: () => host.optionalService(personNotices.matrix),
    did: () => env.ORACLE_CONTROLLERS[0] ?? host.identity.publicDid,
    isOracle: did => did === host.identity.did || did === host.identity.publicDid,
    oracleName: env.ORACLE_NAME,
    now,
  })
  return {
    routes: [
      operatorStatusRoute(ports, now),
      storageRoute(ports, { now, ending }),
      ...apiDocsRoutes(ports),
      promptRoute(ports),
      compareRoute(ports, now),
      ...turnRoutes(ports, now),
      ...operatorPeopleRoutes(ports, host, now),
      operatorAccessRoute(ports.access),
      ...jobRoutes(jobs, log),
      ...outboxRoutes({ jobs, outboxes: ports.outboxes, log }),
      logRoute({ ring, redact, shareOf, checkGrant: host.grants.check, now, ending }),
      ...alertRoutes(alerts, log),
      tokenUsageRoute(ports.tokenUsage, now),
    ],
  }
}
