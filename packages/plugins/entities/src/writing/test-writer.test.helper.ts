import type { Host } from '@sibyl/plugin'
import { testActor } from '@sibyl/testing'
import { createParties } from '../access/parties.ts'
import { createEdgeStore } from '../graph/edge-store.ts'
import { relationshipRules } from '../graph/relationship-rules.ts'
import { createLinkSigner } from '../history/sign-links.ts'
import { protocolRules } from '../protocols/protocol-rules.ts'
import { createProtocolStore } from '../protocols/protocol-store.ts'
import { makeEntityIds } from '../records/entity-id.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import type { Projection } from '../storage/projection.ts'
import { createEntityWriter, type EntityWriter } from './entity-writer.ts'

/** The DID under which entities of tests are. */
export const publicDid = 'did:web:oracle.example'

/** A signing identity of its own. */
export const testIdentity = (): Pick<Host['identity'], 'did' | 'publicDid' | 'sign' | 'keys'> => {
  const { key } = testActor({
    identity: { did: undefined },
    request: () => Promise.reject(new Error('nobody answers')),
  })
  return {
    did: key.did,
    publicDid,
    sign: bytes => key.sign(bytes),
    keys: async () => [{ did: key.did, since: 0 }],
  }
}

/** A writer on a database, without an oracle around it. */
export const testWriter = (
  storage: EntitiesStorage,
  identity: Pick<Host['identity'], 'did' | 'publicDid' | 'sign'> = testIdentity(),
  { projections = [], now = Date.now }: { projections?: readonly Projection[]; now?: () => number } = {},
): EntityWriter =>
  createEntityWriter({
    storage,
    rules: protocolRules,
    protocols: createProtocolStore(storage),
    relationshipRules,
    edges: createEdgeStore(storage),
    signer: createLinkSigner(identity),
    identity,
    parties: createParties(identity),
    publicDid: () => publicDid,
    newId: makeEntityIds(now),
    now,
    projections,
    written: () => {},
    space: () => undefined,
  })
