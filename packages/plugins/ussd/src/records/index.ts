export { customerActions, waitingAction } from './customer-action-records.ts'
export { type CountsRecord, countsRecord, type FlowRecord, flowRecord } from './flow-records.ts'
