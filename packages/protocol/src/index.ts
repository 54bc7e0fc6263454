export {
  type BearerRecord,
  type BearerRequest,
  bearerRecord,
  bearerRequest,
  bearerRevocationRecord,
  type DelegationRecord,
  delegationRecord,
  delegationRequest,
  type RevocationRecord,
  type RevocationRequest,
  revocationRecord,
  revocationRequest,
  tokenHash,
} from './auth-records.ts'
export {
  type ChatEvent,
  capabilityData,
  chatEvent,
  type MessageMetadata,
  messageMetadata,
  noticeData,
  type Outcome,
  outcome,
  type SibylDataParts,
  type Usage,
  usage,
} from './chat-event.ts'
export {
  type ApprovalDecision,
  approvalDecision,
  type ChatMessage,
  type ChatRequest,
  chatMessage,
  chatRequest,
  identifier,
  maxMessageCharacters,
} from './chat-request.ts'
export { type ActivityClaim, type ClaimSubmission, claimSubmission } from './claim-submission.ts'
export { type JsonValue, jsonValue } from './json-value.ts'
export { gsm7Septets, type PhoneTextLength, phoneTextLength } from './phone-text.ts'
export { type Problem, problemSchema } from './problem.ts'
export {
  type CapabilityRecord,
  capabilityRecord,
  type HealthRecord,
  healthRecord,
  type OracleRecord,
  oracleRecord,
  type SessionMessage,
  type SessionRecord,
  type SessionSummary,
  type StatusRecord,
  sessionMessage,
  sessionRecord,
  sessionSummary,
  statusRecord,
  type UsageRecord,
  usageRecord,
} from './records.ts'
export { type ServiceToken, serviceToken } from './service-token.ts'
export { type SmsMessage, type SmsSender, smsSender } from './sms-sender.ts'
export { type Preferences, type UserPreferences, userPreferences } from './user-preferences.ts'
