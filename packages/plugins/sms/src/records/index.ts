export { type LinkedPhoneRecord, linkedPhone, type ThreadMessage, threadMessage } from './sms-records.ts'
