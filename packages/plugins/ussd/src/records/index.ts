export { type CountsRecord, countsRecord, type FlowRecord, flowRecord } from './flow-records.ts'
