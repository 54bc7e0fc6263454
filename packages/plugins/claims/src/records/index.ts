export {
  type ClaimCreation,
  type ClaimDetails,
  type ClaimRecord,
  type ClaimState,
  claimDetails,
  claimRecord,
} from './claim-records.ts'
export { type CollectionCreation, type CollectionRecord, collectionRecord } from './collection-records.ts'
export type { RubricCondition } from './rubric-condition.ts'
