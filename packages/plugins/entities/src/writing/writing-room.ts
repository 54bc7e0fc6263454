import type { Host, Route } from '@sibyl/core'
import { createParties } from '../access/parties.ts'
import type { ChangeBell } from '../changes/change-bell.ts'
import { createEdgeStore } from '../graph/create-edge-store.ts'
import { relationshipRules } from '../graph/relationship-rules.ts'
import { createLinkSigner } from '../history/sign-links.ts'
import { createProtocolStore } from '../protocols/create-protocol-store.ts'
import { protocolRules } from '../protocols/protocol-rules.ts'
import { makeEntityIds } from '../records/entity-id.ts'
import type { Projection } from '../records/projection.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { createEntityWriter } from './create-entity-writer.ts'
import { creationRoute } from './creation-route.ts'

/** Writing, as the plugin offers it. */
export interface WritingRoom {
  readonly routes: readonly Route[]
}

/** Puts the room together. */
export const writingRoom = (
  host: Host<unknown, EntitiesTables>,
  others: { readonly projections: readonly Projection[]; readonly bell: ChangeBell },
): WritingRoom => {
  const { identity, storage, clock } = host
  const now = () => clock.now()
  const writer = createEntityWriter({
    storage,
    rules: protocolRules,
    protocols: createProtocolStore(storage),
    relationshipRules,
    edges: createEdgeStore(storage),
    signer: createLinkSigner(identity),
    parties: createParties(identity),
    publicDid: () => identity.publicDid,
    newId: makeEntityIds(now),
    now,
    ...others,
  })
  return { routes: [creationRoute(writer)] }
}
