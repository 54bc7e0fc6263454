import type { Parties } from '../access/parties.ts'
import type { EdgeStore, RelationshipRules } from '../graph/graph.ts'
import type { LinkSigner } from '../history/sign-links.ts'
import type { ProtocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

/** What changes are prepared with. */
export interface WritingParts {
  readonly storage: EntitiesStorage
  readonly rules: ProtocolRules
  readonly protocols: ProtocolStore
  readonly relationshipRules: RelationshipRules
  readonly edges: EdgeStore
  readonly signer: LinkSigner
  readonly parties: Parties
  /** The DID under which new entities get theirs. */
  readonly publicDid: () => string
  /** Makes the id of a new entity. */
  readonly newId: () => string
  /** Milliseconds since 1970. */
  readonly now: () => number
}
