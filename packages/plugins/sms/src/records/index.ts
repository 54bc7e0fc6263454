export {
  type LinkedPhoneRecord,
  linkedPhone,
  type OutboxMessage,
  outboxMessage,
  type ThreadMessage,
  threadMessage,
} from './sms-records.ts'
