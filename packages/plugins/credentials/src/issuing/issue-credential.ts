import { randomUUID } from 'node:crypto'
import { type credentialIssuer, type entityDirectory, normalDid, type ServiceOf } from '@sibyl/protocol'
import { credentialInvalid } from '../definitions/credentials-errors.ts'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import type { CredentialStore, StoredCredential } from '../storage/credential-store.ts'
import { type CredentialRequest, issue } from './check-request.ts'

/** Dependencies of issuing a credential in a transaction of its own. */
export interface IssueDependencies {
  readonly issuer: ServiceOf<typeof credentialIssuer>
  readonly storage: CredentialsStorage
  readonly store: Pick<CredentialStore, 'find'>
  readonly directory: Pick<ServiceOf<typeof entityDirectory>, 'find'> | undefined
  readonly publicDid: () => string
}

/**
 * Issues one credential in one transaction: signs it, stores it, and adds it to the entity that is its subject.
 *
 * @param request `idempotencyKey` belongs to `request.issuedBy`
 * @throws `credential_invalid`, `idempotency_key_reused`, `signing_key_missing`
 */
export const issueCredential = async (
  {
    idempotencyKey = randomUUID(),
    ...request
  }: Omit<CredentialRequest, 'idempotencyKey'> & { idempotencyKey?: string },
  { issuer, storage, store, directory, publicDid }: IssueDependencies,
): Promise<StoredCredential> => {
  const id = await knownSubject(request.subject.id, directory, publicDid())
  const subject = { ...request.subject, id }
  const key = `own ${request.issuedBy} ${idempotencyKey}`
  const prepared = await issuer.prepare({ ...request, subject, idempotencyKey: key })
  const stored = await storage.write(tx => issuer.store(prepared, tx))
  return (await store.find(stored.id))!
}

/** Returns the registered DID of a subject. An entity of this oracle must be active. */
const knownSubject = async (
  did: string,
  directory: Pick<ServiceOf<typeof entityDirectory>, 'find'> | undefined,
  publicDid: string,
): Promise<string> => {
  const entity = (await directory?.find([did]))?.get(did)
  if (entity?.status === 'active') return entity.did
  if (!entity && (!directory || !normalDid(did).startsWith(`${normalDid(publicDid)}:entities:`))) return did
  const message = entity ? 'belongs to a deactivated entity' : 'is not registered here'
  throw credentialInvalid([issue('/subject/id', 'unknown_entity', message)])
}
