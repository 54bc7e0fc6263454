import { randomUUID } from 'node:crypto'
import type { CredentialIssuer, CredentialRequest, EntityDirectory } from '@sibyl/protocol'
import { credentialInvalid } from '../definitions/credentials-errors.ts'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import type { CredentialStore, StoredCredential } from '../storage/credential-store.ts'
import { issue } from './check-request.ts'

/** What issuing one credential by itself rests on. */
export interface IssueParts {
  readonly issuer: CredentialIssuer
  readonly storage: CredentialsStorage
  readonly store: Pick<CredentialStore, 'find'>
  readonly directory: Pick<EntityDirectory, 'find'> | undefined
  readonly publicDid: () => string
}

/**
 * Issues one credential: signed, stored, and entered at the entity that it is about, or nothing of it.
 *
 * @param request `idempotencyKey` is one of `request.issuedBy`'s own
 * @throws CredentialInvalid `credential_invalid`, CredentialKeyReused `idempotency_key_reused`, SigningKeyMissingError
 * `signing_key_missing`
 */
export const issueCredential = async (
  {
    idempotencyKey = randomUUID(),
    ...request
  }: Omit<CredentialRequest, 'idempotencyKey'> & { idempotencyKey?: string },
  { issuer, storage, store, directory, publicDid }: IssueParts,
): Promise<StoredCredential> => {
  const id = await knownSubject(request.subject.id, directory, publicDid())
  const subject = { ...request.subject, id }
  const key = `own ${request.issuedBy} ${idempotencyKey}`
  const prepared = await issuer.prepare({ ...request, subject, idempotencyKey: key })
  const stored = await storage.write(tx => issuer.store(prepared, tx))
  return (await store.find(stored.id))!
}

/** Whom a credential is about, as it is registered: one of this oracle's entities has to be in use. */
const knownSubject = async (
  did: string,
  directory: Pick<EntityDirectory, 'find'> | undefined,
  publicDid: string,
): Promise<string> => {
  const entity = (await directory?.find([did]))?.get(did)
  if (entity?.status === 'active') return entity.did
  if (!entity && (!directory || !withPlainPort(did).startsWith(withPlainPort(`${publicDid}:entities:`)))) return did
  const message = entity ? 'is of an entity that is out of use' : 'is not registered here'
  throw credentialInvalid([issue('/subject/id', 'unknown_entity', message)])
}

/** A did:web with the colon of its port as it is, which some write as `%3A`. */
const withPlainPort = (did: string): string => did.replaceAll(/%3a/gi, ':')
