export {
  type AlertEventRecord,
  type AlertRecord,
  alertEventRecord,
  alertRecord,
  type CreatedAlertRecord,
  createdAlertRecord,
} from './alerts/alert-records.ts'
export { type ComparedAnswer, type ComparedVariant, comparedAnswer } from './compare/comparison.ts'
export {
  type JobKindRecord,
  type JobRecord,
  type JobStateRecord,
  jobKindRecord,
  jobRecord,
  type OutboxRecord,
  outboxRecord,
} from './jobs/job-records.ts'
export { type LogLineRecord, logLineRecord } from './log/log-line.ts'
export {
  namedPerson,
  type PersonDetails,
  type PersonName,
  type PersonSummary,
  personDetails,
  personSummary,
} from './people/people-records.ts'
export { type PromptMessage, type SessionPrompt, sessionPromptRecord } from './prompts/session-prompt-record.ts'
export {
  type LimitRecord,
  type OperatorStatusRecord,
  operatorStatusRecord,
  type StorageRecord,
  storageRecord,
  type TokenUsageRecord,
  tokenUsageRecord,
} from './status/status-records.ts'
export type { TurnSpan } from './timings/turn-span.ts'
export { type Trace, type TurnTiming, trace, traceResult, turnTiming } from './timings/turn-timing.ts'
export { type TurnCounts, type TurnsSummaryRecord, turnsSummaryRecord } from './timings/turns-summary.ts'
