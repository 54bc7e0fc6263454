export type { DomainClass } from './entity-members.ts'
export {
  type EntityHit,
  type EntityName,
  type EntityPlaces,
  entityHits,
  entityNames,
  entityPlaces,
} from './found-records.ts'
export { type GraphRecord, graphRecord } from './graph-record.ts'
export { type EntityEventRecord, historyRecord, type ProofRecord, proofRecord } from './history-records.ts'
export { type ProtocolRecord, protocolRecord, versionEntry } from './protocol-records.ts'
