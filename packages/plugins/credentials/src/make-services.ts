import type { Host } from '@sibyl/plugin'
import { didResolver, entityDirectory } from '@sibyl/protocol'
import { createCredentialRights } from './access/credential-rights.ts'
import type { CredentialsEnv } from './contexts/credentials-env.ts'
import { knownContexts } from './contexts/known-contexts.ts'
import { createIssuer } from './issuing/create-issuer.ts'
import type { IssueParts } from './issuing/issue-credential.ts'
import { createOracleSigner } from './issuing/oracle-signer.ts'
import { personRecords } from './person-records.ts'
import type { StatusParts } from './routes/status-routes.ts'
import type { StatusListParts } from './status-lists/status-list-documents.ts'
import { createStatusPlaces } from './status-lists/status-places.ts'
import { createCredentialStore } from './storage/credential-store.ts'
import type { CredentialsTables } from './storage/credentials-tables.ts'
import { type CredentialVerifier, createVerifier } from './verifying/create-verifier.ts'
import { createResolveDid } from './verifying/resolve-did.ts'
import { createStatusSource } from './verifying/status-source.ts'

/** The host as this plugin gets it. */
export type CredentialsHost = Host<CredentialsEnv, CredentialsTables>

/** What routes, tools and the service rest on. */
export const makeCredentialServices = (host: CredentialsHost) => {
  const { identity, storage, clock } = host
  const directory = host.optionalService(entityDirectory)
  const signer = createOracleSigner(identity)
  const store = createCredentialStore(storage)
  const places = createStatusPlaces(storage, clock, () => host.restoredAt)
  const rights = createCredentialRights({ access: host.access, identity, directory })
  const issuer = createIssuer({ identity, signer, clock, places, store, directory })
  const resolveDid = createResolveDid(identity, host.optionalService(didResolver))
  const verifier: CredentialVerifier = createVerifier({
    clock,
    resolveDid,
    contexts: knownContexts(host.env.CREDENTIALS_CONTEXTS),
    ownKeys: { identity, isIssued: store.isIssued },
    status: createStatusSource({
      storage,
      identity,
      publicUrl: () => signer.publicUrl(),
      verifier: () => verifier,
    }),
  })
  const issuing: IssueParts = { issuer, storage, store, directory, publicDid: () => identity.publicDid }
  const changing: StatusParts = { storage, store, directory, now: () => clock.now() }
  const lists: StatusListParts = { storage, clock, identity, signer }
  const records = personRecords({ storage, store, directory, clock })
  return { issuing, changing, lists, rights, store, places, verifier, resolveDid, records }
}
