export {
  type EntityCreation,
  type EntityPatch,
  type EntityRecord,
  entityCreation,
  entityPatch,
  entityRecord,
} from './entity-contract.ts'
export type { DomainClass } from './entity-members.ts'
export { type EntityRegistry, entityRegistry, type RegisteredEntity } from './entity-registry.ts'
export {
  type EntityHit,
  type EntityName,
  type EntityPlaces,
  entityHits,
  entityNames,
  entityPlaces,
} from './found-records.ts'
export { type GraphRecord, graphRecord, type NeighborRecord, neighborCounts, neighborRecord } from './graph-record.ts'
export { type EntityEventRecord, historyRecord, type ProofRecord, proofRecord } from './history-records.ts'
export { mergePatch } from './merge-patch.ts'
export { type ProtocolRecord, protocolRecord, versionEntry } from './protocol-records.ts'
export { type WebhookRecord, webhookCreated, webhookRecord } from './webhook-records.ts'
