export {
  type ApprovalCounts,
  approvalCounts,
  type PendingApproval,
  pendingApproval,
  personChannel,
  type WaitingApproval,
  waitingApproval,
} from './approval-records.ts'
export { type CallerRecord, callerRecord } from './caller-record.ts'
export {
  type DatabaseTask,
  databaseTask,
  type TaskProgress,
  type TaskReport,
  taskReport,
} from './database-task.ts'
export { type OperatorAccess, operatorAccess } from './operator-access.ts'
export { type OracleInspection, oracleInspection } from './oracle-inspection.ts'
export { adapterRecord, statusRecord, type UsageRecord, usageRecord } from './oracle-records.ts'
export { type StorageUsageRecord, storageReport, storageUsage } from './storage-report.ts'
export { type AlertMetric, type AlertTarget, alertMetric, alertTarget } from './stored-alert.ts'
