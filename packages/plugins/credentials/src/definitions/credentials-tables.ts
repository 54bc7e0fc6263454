import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import type { Selectable } from '@sibyl/plugin/storage'
import { z } from 'zod'
import type { CredentialStatus } from '../records/credential-record.ts'
import type { JsonObject } from './json-object.ts'

/** An issued credential. */
const credentials = defineTable(
  'credentials_credentials',
  {
    /** `urn:uuid:…` with a UUIDv7: ids are ordered by time. */
    id: column.text().primaryKey(),
    /** Hash of the requester and the idempotency key. */
    key: column.text().unique(),
    request_hash: column.text(),
    type: column.text(),
    /** DID of the subject. */
    subject: column.text(),
    status: column.text<CredentialStatus>(),
    /** The signed document. */
    document: column.json(z.custom<JsonObject>()),
    /** DID of the requester. */
    issued_by: column.text(),
    issued_at: column.timestamp(),
    /** Its position in the status lists. */
    list: column.text(),
    place: column.integer(),
    /** Time when the person was erased, together with the content of the document. */
    erased_at: column.timestamp().nullable(),
  },
  {
    indexes: {
      credentials_credentials_issued_by: ['issued_by'],
      credentials_credentials_status: ['status', 'id'],
      credentials_credentials_subject: ['subject', 'id'],
      credentials_credentials_type: ['type', 'id'],
    },
  },
)

/** A change of a credential's status. */
const changes = defineTable(
  'credentials_changes',
  {
    credential_id: column.text(),
    /** Number of the change, from 1 for each credential. */
    number: column.integer(),
    kind: column.text<'suspended' | 'reinstated' | 'revoked'>(),
    by: column.text(),
    reason: column.text(),
    at: column.timestamp(),
  },
  { primaryKey: ['credential_id', 'number'], indexes: { credentials_changes_by: ['by'] }, storedByKey: true },
)

/** A pair of status lists, one for revocation and one for suspension; a credential has the same position in both. */
const lists = defineTable('credentials_lists', {
  id: column.text().primaryKey(),
  /** Number of allotted positions. */
  allotted: column.integer(),
  created_at: column.timestamp(),
  /** Numbers of changes of the lists' content. */
  revocation_version: column.integer(),
  suspension_version: column.integer(),
})

/** An allotted position of a pair of lists. */
const entries = defineTable(
  'credentials_entries',
  {
    list: column.text(),
    place: column.integer(),
    /** Process and time of the allotment; a position without a credential is released after a while. */
    reservation: column.text(),
    reserved_at: column.timestamp(),
    /** The credential; null until it is stored. */
    credential_id: column.text().nullable(),
  },
  {
    primaryKey: ['list', 'place'],
    indexes: { credentials_entries_free: ['credential_id', 'reserved_at'] },
    storedByKey: true,
  },
)

/** A position that is set in a status list. */
const marks = defineTable(
  'credentials_marks',
  {
    list: column.text(),
    purpose: column.text<StatusPurpose>(),
    place: column.integer(),
  },
  { primaryKey: ['list', 'purpose', 'place'], storedByKey: true },
)

/** The last signed version of a status list. */
const listDocuments = defineTable('credentials_list_documents', {
  /** `<list>-revocation` or `<list>-suspension`. */
  id: column.text().primaryKey(),
  /** The version of the list that it contains. */
  version: column.integer(),
  /** DID URL of its signing key. */
  signer: column.text(),
  /** The signed credential, as sent to clients. */
  document: column.text(),
})

const credentialsTables = [credentials, changes, lists, entries, marks, listDocuments] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type CredentialsTables = TablesOf<typeof credentialsTables>

export type CredentialRow = Selectable<CredentialsTables['credentials_credentials']>
export type ChangeRow = Selectable<CredentialsTables['credentials_changes']>
export type ListDocumentRow = Selectable<CredentialsTables['credentials_list_documents']>

export const credentialsMigrations = { '0100-base': createTables(credentialsTables) }

/** Purposes of a status list (W3C Bitstring Status List 1.0 §2.1). */
export const statusPurposes = ['revocation', 'suspension'] as const

export type StatusPurpose = (typeof statusPurposes)[number]

export type CredentialsStorage = Host<unknown, CredentialsTables>['storage']

export type CredentialsTransaction = Parameters<Parameters<CredentialsStorage['write']>[0]>[0]
