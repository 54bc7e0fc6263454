import type { Host } from '@sibyl/plugin'
import type { CredentialIssuer, EntityDirectory, PropertyRules } from '@sibyl/protocol'
import type { Parties } from '../access/parties.ts'
import type { ClaimReader } from '../claims/claim-reader.ts'
import type { ClaimStore } from '../claims/claim-store.ts'
import type { CollectionStore } from '../collections/collection-store.ts'
import type { ClaimsStorage } from '../storage/claims-tables.ts'

export interface EvaluationParts {
  readonly host: Pick<Host, 'clock' | 'grants' | 'jobs' | 'log' | 'model'>
  readonly storage: ClaimsStorage
  readonly claims: ClaimStore
  readonly collections: CollectionStore
  readonly reader: ClaimReader
  readonly directory: EntityDirectory
  readonly rules: PropertyRules
  readonly parties: Parties
  /** Missing without the credentials plugin. */
  readonly issuer: CredentialIssuer | undefined
}
