export { type FactRecord, factRecord } from './fact-record.ts'
