export { type SpendingRecord, type SpendingRow, spendingRecord } from './spending-record.ts'
