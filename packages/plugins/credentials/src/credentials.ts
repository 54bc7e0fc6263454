import { definePlugin, every, provide } from '@sibyl/plugin'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import { credentialChecks, credentialIssuer, didResolver, entityDirectory } from '@sibyl/protocol'
import { createCredentialRights } from './access/credential-rights.ts'
import { credentialsEnv } from './contexts/credentials-env.ts'
import { knownContexts } from './contexts/known-contexts.ts'
import { credentialTools } from './credential-tools.ts'
import type { CredentialsTables } from './definitions/credentials-tables.ts'
import { credentialsMigrations } from './definitions/credentials-tables.ts'
import { createIssuer } from './issuing/create-issuer.ts'
import { manifest } from './manifest.ts'
import { personRecords } from './person-records.ts'
import { createOracleSigner } from './proofs/oracle-signer.ts'
import { issueRoutes } from './routes/issue-routes.ts'
import { readRoutes } from './routes/read-routes.ts'
import { afterMove } from './status-lists/check-places.ts'
import { createStatusPlaces } from './status-lists/status-places.ts'
import { createCredentialStore } from './storage/credential-store.ts'
import { type CredentialVerifier, checkGiven, createVerifier } from './verifying/create-verifier.ts'
import { createResolveDid } from './verifying/find-key.ts'
import { createResolveWeb } from './verifying/resolve-web.ts'
import { createStatusSource } from './verifying/status-source.ts'

export interface CredentialsOptions {
  /** Fetches DID documents and status lists of others. @default only from public addresses */
  readonly fetch?: GuardedFetch
}

/**
 * Issues and verifies credentials under the DID of the oracle.
 *
 * @example
 * await createOracleApp({ config, plugins: [entities(), credentials()] })
 */
export const credentials = ({ fetch = guardedFetch }: CredentialsOptions = {}) =>
  definePlugin<typeof credentialsEnv, CredentialsTables>({
    name: 'credentials',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: credentialsEnv,
    uses: ['entities'],
    migrations: credentialsMigrations,
    afterMove,
    async setup(host) {
      const { identity, storage, clock, access } = host
      const directory = host.optionalService(entityDirectory)
      const signer = createOracleSigner(identity)
      const store = createCredentialStore(storage)
      const shared = { storage, clock, identity, directory, signer, store }
      const places = createStatusPlaces(storage, clock, () => host.restoredAt)
      const rights = createCredentialRights({ access, grants: host.grants, identity, directory })
      const issuer = createIssuer({ ...shared, places })
      const resolveDid = createResolveDid(identity, host.optionalService(didResolver), createResolveWeb(fetch))
      const verifier: CredentialVerifier = createVerifier({
        clock,
        resolveDid,
        contexts: knownContexts(host.env.CREDENTIALS_CONTEXTS),
        ownKeys: { identity, isIssued: store.isIssued },
        status: createStatusSource({ ...shared, fetch, publicUrl: () => signer.publicUrl(), verifier: () => verifier }),
      })
      const issuing = { ...shared, issuer, publicDid: () => identity.publicDid }
      const changing = { ...shared, now: () => clock.now() }
      host.optionalService(credentialChecks)?.use(checkGiven(verifier))
      await every(host.jobs, { kind: 'credentials/release-places', interval: '1d', run: () => places.release() })
      return {
        services: [provide(credentialIssuer, issuer)],
        personalRecords: personRecords(shared),
        routes: [...issueRoutes(issuing, changing, rights), ...readRoutes({ store, rights, verifier, lists: shared })],
        tools: credentialTools({ issuing, changing, verifier, store, rights, resolveDid }),
      }
    },
  })
