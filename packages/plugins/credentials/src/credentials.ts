import { definePlugin, provide } from '@sibyl/plugin'
import { credentialChecks, credentialIssuer } from '@sibyl/protocol'
import { credentialsEnv } from './contexts/credentials-env.ts'
import { makeCredentialServices } from './make-services.ts'
import { manifest } from './manifest.ts'
import { issueRoute } from './routes/issue-route.ts'
import { readRoutes } from './routes/read-routes.ts'
import { statusListRoute } from './routes/status-list-route.ts'
import { statusRoutes } from './routes/status-routes.ts'
import { verifyRoute } from './routes/verify-route.ts'
import { scheduleRelease } from './status-lists/schedule-release.ts'
import { credentialsMigrations } from './storage/credentials-migrations.ts'
import type { CredentialsTables } from './storage/credentials-tables.ts'
import { issueCredentialTool } from './tools/issue-credential-tool.ts'
import { resolveDidTool } from './tools/resolve-did-tool.ts'
import { revokeCredentialTool } from './tools/revoke-credential-tool.ts'
import { verifyCredentialTool } from './tools/verify-credential-tool.ts'
import { checkGiven } from './verifying/check-given.ts'

/**
 * Issues and verifies credentials under the DID of the oracle.
 *
 * @example
 * await createOracleApp({ config, plugins: [entities(), credentials()] })
 */
export const credentials = () =>
  definePlugin<typeof credentialsEnv, CredentialsTables>({
    name: 'credentials',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: credentialsEnv,
    uses: ['entities'],
    migrations: credentialsMigrations,
    async setup(host) {
      const { issuing, rights, store, verifier, changing, lists, resolveDid, places, records } =
        makeCredentialServices(host)
      host.optionalService(credentialChecks)?.use(checkGiven(verifier))
      await scheduleRelease(host.jobs, places)
      return {
        services: [provide(credentialIssuer, issuing.issuer)],
        personalRecords: records,
        routes: [
          issueRoute(issuing, rights),
          verifyRoute(verifier),
          ...readRoutes(store, rights),
          ...statusRoutes(changing, rights),
          statusListRoute(lists),
        ],
        tools: {
          issue_credential: issueCredentialTool(issuing, rights, () => host.clock.now()),
          verify_credential: verifyCredentialTool(verifier, store, rights),
          revoke_credential: revokeCredentialTool(changing, rights),
          resolve_did: resolveDidTool(resolveDid),
        },
      }
    },
  })
