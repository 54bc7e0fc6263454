import type { Host } from '@sibyl/plugin'
import type { JsonColumn } from '@sibyl/plugin/storage'
import type { JsonObject } from './json-object.ts'

/** What a credential is worth now. */
export const credentialStatuses = ['active', 'suspended', 'revoked'] as const

/** One of `credentialStatuses`. */
export type CredentialStatus = (typeof credentialStatuses)[number]

/** What a status list says of a credential (W3C Bitstring Status List 1.0 §2.1). */
export const statusPurposes = ['revocation', 'suspension'] as const

/** One of `statusPurposes`. */
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

/** A credential that was issued. */
export interface CredentialRow {
  /** `urn:uuid:…`, a UUIDv7: ids are ordered by time. */
  id: string
  /** A hash over who asked and the idempotency key. */
  key: string
  /** A hash over what was asked for. */
  request_hash: string
  type: string
  /** The DID of whom it is about. */
  subject: string
  status: CredentialStatus
  /** The signed document. */
  document: JsonColumn<JsonObject>
  /** The DID of who had it issued. */
  issued_by: string
  issued_at: number
  /** Its place in the status lists. */
  list: string
  place: number
  /** When the person whom it is about was erased, and with them what the document said. */
  erased_at: number | null
}

/** A change of a credential's status. */
export interface ChangeRow {
  credential_id: string
  /** Counts the changes of a credential, from 1. */
  number: number
  kind: 'suspended' | 'reinstated' | 'revoked'
  by: string
  reason: string
  at: number
}

/** A pair of status lists, one for revocation and one for suspension, in which a credential has the same place. */
export interface ListRow {
  id: string
  /** How many places are allotted. */
  allotted: number
  created_at: number
  /** Count the changes of what the lists say. */
  revocation_version: number
  suspension_version: number
}

/** An allotted place of a pair of lists. */
export interface EntryRow {
  list: string
  place: number
  /** Which process allotted it, and when: one that no credential took is free again after a while. */
  reservation: string
  reserved_at: number
  /** The credential; null until it is stored. */
  credential_id: string | null
}

/** A place that is set in a status list. */
export interface MarkRow {
  list: string
  purpose: StatusPurpose
  place: number
}

/** A status list as it was signed last. */
export interface ListDocumentRow {
  /** `<list>-revocation` or `<list>-suspension`. */
  id: string
  /** The version of the list that it says. */
  version: number
  /** The DID URL of the key that signed it. */
  signer: string
  /** The signed credential, as it is answered. */
  document: string
}

export type CredentialsStorage = Host<unknown, CredentialsTables>['storage']

export type CredentialsTransaction = Parameters<Parameters<CredentialsStorage['write']>[0]>[0]
