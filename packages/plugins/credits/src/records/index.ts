export { accountBalance } from './account-balance.ts'
export { type SpendingRecord, type SpendingRow, spendingRecord } from './spending-record.ts'
export { type UsageDay, usageDay } from './usage-day-record.ts'
