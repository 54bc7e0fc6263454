import { createHash } from 'node:crypto'
import type { Clock, Host } from '@sibyl/plugin'
import { toJson } from '@sibyl/plugin/storage'
import type { credentialIssuer, entityDirectory, ServiceOf } from '@sibyl/protocol'
import canonicalize from 'canonicalize'
import { credentialsContext, undefinedTermsContext } from '../contexts/known-contexts.ts'
import { credentialInvalid, credentialsErrors } from '../definitions/credentials-errors.ts'
import type { CredentialsTransaction } from '../definitions/credentials-tables.ts'
import type { JsonObject } from '../definitions/json-object.ts'
import type { OracleSigner } from '../proofs/oracle-signer.ts'
import { dateTimeOf, signDocument } from '../proofs/sign-document.ts'
import { statusEntries } from '../status-lists/status-place.ts'
import type { ReservedPlace, StatusPlaces } from '../status-lists/status-places.ts'
import { newCredentialId } from '../storage/credential-records.ts'
import type { CredentialStore } from '../storage/credential-store.ts'
import { changeStatus } from './change-status.ts'
import { type CredentialRequest, issue, requestViolations } from './check-request.ts'
import { scrubCredentials } from './scrub-credentials.ts'

type PreparedCredential = Awaited<ReturnType<ServiceOf<typeof credentialIssuer>['prepare']>>
type SharedTransaction = Parameters<ServiceOf<typeof credentialIssuer>['store']>[1]

export interface IssuerDependencies {
  readonly identity: Pick<Host['identity'], 'publicDid'>
  readonly signer: OracleSigner
  readonly clock: Clock
  readonly places: StatusPlaces
  readonly store: Pick<CredentialStore, 'findByKey'>
  /** Adds credentials to the entities that are their subjects. */
  readonly directory: Pick<ServiceOf<typeof entityDirectory>, 'addCredential' | 'removeCredential'> | undefined
}

/** Stored data of a prepared credential besides its document. */
interface Preparation {
  readonly key: string
  readonly requestHash: string
  readonly type: string
  readonly subject: string
  readonly issuer: string
  readonly issuedBy: string
  readonly at: number
  /** Undefined if a credential with the same key is already stored. */
  readonly place: ReservedPlace | undefined
}

/** Creates the issuer: the service for other plugins, and for this plugin's routes and tools. */
export const createIssuer = (parts: IssuerDependencies): ServiceOf<typeof credentialIssuer> => {
  const prepared = new WeakMap<PreparedCredential, Preparation>()
  const remember = (credential: PreparedCredential, preparation: Preparation): PreparedCredential => {
    prepared.set(credential, preparation)
    return credential
  }
  return {
    async prepare(request) {
      const violations = requestViolations(request)
      if (violations.length > 0) throw credentialInvalid(violations)
      const { subject, type, issuedBy } = request
      const [key, requestHash] = [hashOf(request.idempotencyKey), hashOf(contentOf(request))]
      const at = parts.clock.now()
      const issuer = parts.identity.publicDid
      const facts = { key, requestHash, type, subject: subject.id, issuer, issuedBy, at }
      const earlier = await parts.store.findByKey(key)
      if (earlier) {
        if (earlier.requestHash !== requestHash) throw credentialsErrors.idempotency_key_reused()
        return remember({ id: earlier.id, document: earlier.document }, { ...facts, place: undefined })
      }
      if (request.validUntil !== undefined && request.validUntil <= at) throw credentialInvalid([alreadyOver])
      const signer = await parts.signer.ready()
      const place = await parts.places.reserve()
      const id = newCredentialId(at)
      const entries = statusEntries(parts.signer.publicUrl(), place)
      const document = await signDocument(documentOf(id, issuer, request, at, entries), at, signer)
      return remember({ id, document }, { ...facts, place })
    },

    async store(credential, shared) {
      const preparation = prepared.get(credential)
      if (!preparation) throw credentialsErrors.credential_not_prepared()
      const tx = transactionOf(shared)
      const { key, requestHash, place, issuer, at, issuedBy, subject, type } = preparation
      const { id, document } = credential
      if (place) {
        const { numInsertedOrUpdatedRows: inserted } = await tx
          .insertInto('credentials_credentials')
          .values({
            id,
            key,
            request_hash: requestHash,
            type,
            subject,
            status: 'active',
            document: toJson(document as JsonObject),
            issued_by: issuedBy,
            issued_at: at,
            list: place.list,
            place: place.place,
            erased_at: null,
          })
          .onConflict(it => it.column('key').doNothing())
          .executeTakeFirstOrThrow()
        if (Number(inserted) === 1) {
          if (!(await parts.places.take(place, id, tx))) throw credentialsErrors.credential_not_prepared()
          await parts.directory?.addCredential({ did: subject, id, type, issuer, by: issuedBy }, shared)
          return { id }
        }
      }
      const standing = await tx
        .selectFrom('credentials_credentials')
        .select(['id', 'request_hash'])
        .where('key', '=', key)
        .executeTakeFirst()
      if (!standing) throw credentialsErrors.credential_not_prepared()
      if (standing.request_hash !== requestHash) throw credentialsErrors.idempotency_key_reused()
      return { id: standing.id }
    },

    revoke: async (id, by, reason, shared) => {
      const change = { id, kind: 'revoked', by, reason, at: parts.clock.now() } as const
      await changeStatus(change, transactionOf(shared), parts.directory)
    },
    scrub: (ids, shared) => scrubCredentials(ids, { at: parts.clock.now() }, transactionOf(shared)),
  }
}

const alreadyOver = issue('/validUntil', 'out_of_range', 'is in the past')

/** Shared transactions belong to one database; this plugin uses only its own tables in it. */
const transactionOf = (shared: SharedTransaction): CredentialsTransaction => shared as CredentialsTransaction

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('base64url')

/** Returns the content that makes two requests the same. */
const contentOf = ({ type, subject, validFrom, validUntil, evidence }: CredentialRequest) => ({
  type,
  subject,
  validFrom: validFrom ?? null,
  validUntil: validUntil ?? null,
  evidence: evidence ?? null,
})

const documentOf = (
  id: string,
  issuer: string,
  { type, subject, validFrom, validUntil, evidence }: CredentialRequest,
  at: number,
  credentialStatus: JsonObject[],
): JsonObject => ({
  '@context': [credentialsContext, undefinedTermsContext],
  id,
  type: ['VerifiableCredential', type],
  issuer,
  validFrom: dateTimeOf(validFrom ?? at),
  ...(validUntil === undefined ? {} : { validUntil: dateTimeOf(validUntil) }),
  credentialSubject: subject,
  ...(evidence === undefined || evidence.length === 0 ? {} : { evidence: [...evidence] }),
  credentialStatus,
})
