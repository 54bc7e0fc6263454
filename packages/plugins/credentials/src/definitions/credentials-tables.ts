import type { Host } from '@sibyl/plugin'
import type { JsonColumn } from '@sibyl/plugin/storage'
import type { JsonObject } from './json-object.ts'

/** Statuses of a credential. */
export const credentialStatuses = ['active', 'suspended', 'revoked'] as const

export type CredentialStatus = (typeof credentialStatuses)[number]

/** Purposes of a status list (W3C Bitstring Status List 1.0 §2.1). */
export const statusPurposes = ['revocation', 'suspension'] as const

export type StatusPurpose = (typeof statusPurposes)[number]

/** The tables of this plugin. Times are milliseconds since 1970. */
export interface CredentialsTables {
  credentials_credentials: CredentialRow
  credentials_changes: ChangeRow
  credentials_lists: ListRow
  credentials_entries: EntryRow
  credentials_marks: MarkRow
  credentials_list_documents: ListDocumentRow
}

/** An issued credential. */
export interface CredentialRow {
  /** `urn:uuid:…` with a UUIDv7: ids are ordered by time. */
  id: string
  /** Hash of the requester and the idempotency key. */
  key: string
  /** Hash of the request. */
  request_hash: string
  type: string
  /** DID of the subject. */
  subject: string
  status: CredentialStatus
  /** The signed document. */
  document: JsonColumn<JsonObject>
  /** DID of the requester. */
  issued_by: string
  issued_at: number
  /** Its position in the status lists. */
  list: string
  place: number
  /** Time when the person was erased, together with the content of the document. */
  erased_at: number | null
}

/** A change of a credential's status. */
export interface ChangeRow {
  credential_id: string
  /** Number of the change, from 1 for each credential. */
  number: number
  kind: 'suspended' | 'reinstated' | 'revoked'
  by: string
  reason: string
  at: number
}

/** A pair of status lists, one for revocation and one for suspension; a credential has the same position in both. */
export interface ListRow {
  id: string
  /** Number of allotted positions. */
  allotted: number
  created_at: number
  /** Numbers of changes of the lists' content. */
  revocation_version: number
  suspension_version: number
}

/** An allotted position of a pair of lists. */
export interface EntryRow {
  list: string
  place: number
  /** Process and time of the allotment; a position without a credential is released after a while. */
  reservation: string
  reserved_at: number
  /** The credential; null until it is stored. */
  credential_id: string | null
}

/** A position that is set in a status list. */
export interface MarkRow {
  list: string
  purpose: StatusPurpose
  place: number
}

/** The last signed version of a status list. */
export interface ListDocumentRow {
  /** `<list>-revocation` or `<list>-suspension`. */
  id: string
  /** The version of the list that it contains. */
  version: number
  /** DID URL of its signing key. */
  signer: string
  /** The signed credential, as sent to clients. */
  document: string
}

export type CredentialsStorage = Host<unknown, CredentialsTables>['storage']

export type CredentialsTransaction = Parameters<Parameters<CredentialsStorage['write']>[0]>[0]
