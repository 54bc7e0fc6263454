import { type Host, type ProvidedService, provide, type Route } from '@sibyl/plugin'
import { claimChecks, credentialChecks, entityDirectory, entityRegistry } from '@sibyl/protocol'
import { createParties } from '../access/parties.ts'
import type { ChangeBell } from '../changes/change-bell.ts'
import { createEntityDirectory } from '../directory/entity-directory.ts'
import { createEntityRegistry } from '../directory/entity-registry.ts'
import type { EntitiesEnv } from '../entities-env.ts'
import type { EdgeStore } from '../graph/graph.ts'
import { relationshipRules } from '../graph/relationship-rules.ts'
import { historyRoutes } from '../history/history-routes.ts'
import { createLinkSigner } from '../history/sign-links.ts'
import { claimCheckedRules } from '../protocols/claim-checked-rules.ts'
import { protocolRules } from '../protocols/protocol-rules.ts'
import type { ProtocolStore } from '../protocols/protocol-store.ts'
import type { EntityReader } from '../reading/entity-reader.ts'
import { makeEntityIds } from '../records/entity-id.ts'
import type { Projection } from '../records/projection.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { changeRoutes } from './change-routes.ts'
import { createEntityWriter } from './create-entity-writer.ts'
import { creationRoute } from './creation-route.ts'
import type { EntityWriter } from './entity-writer.ts'
import { createGivenCredentials } from './given-credentials.ts'
import { scheduleReplyPurge } from './purge-replies.ts'

/** What the room needs of others. */
export interface WritingRoomParts {
  readonly protocols: ProtocolStore
  readonly edges: EdgeStore
  readonly reader: Pick<EntityReader, 'find' | 'records' | 'recordAt'>
  /** What follows from changes, written in their transaction in this order. */
  readonly projections: readonly Projection[]
  readonly bell: ChangeBell
}

/** Writing and the history of it, as the plugin offers them. */
export interface WritingRoom {
  readonly writer: EntityWriter
  readonly routes: readonly Route[]
  readonly services: readonly ProvidedService[]
}

/** Puts the room together. */
export const writingRoom = async (
  { env, identity, storage, clock, jobs }: Host<EntitiesEnv, EntitiesTables>,
  parts: WritingRoomParts,
): Promise<WritingRoom> => {
  const { protocols, edges } = parts
  const now = () => clock.now()
  const oracleDid = () => identity.publicDid
  const { rules, checks } = claimCheckedRules(protocolRules)
  const writer = createEntityWriter({
    ...parts,
    storage,
    rules,
    relationshipRules,
    signer: createLinkSigner(identity),
    identity,
    parties: createParties(identity),
    publicDid: oracleDid,
    newId: makeEntityIds(now),
    now,
  })
  const credentials = createGivenCredentials()
  await scheduleReplyPurge(jobs, storage, now)
  return {
    writer,
    routes: [
      creationRoute(writer, credentials),
      ...changeRoutes(writer),
      ...historyRoutes({ storage, reader: parts.reader, identity, perMinute: env.ENTITIES_HISTORY_PER_MINUTE }),
    ],
    services: [
      provide(claimChecks, checks),
      provide(credentialChecks, credentials.checks),
      provide(entityDirectory, createEntityDirectory({ storage, protocols, edges, writer, now })),
      provide(entityRegistry, createEntityRegistry({ writer, credentials, storage, edges, oracleDid })),
    ],
  }
}
