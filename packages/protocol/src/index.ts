export {
  type ApiKeyRecord,
  apiKeyList,
  type BearerRecord,
  bearerRecord,
  bearerRevocationRecord,
  type CreatedApiKeyRecord,
  createdApiKeyRecord,
  type DelegationRecord,
  delegationRecord,
  type RevocationRecord,
  revocationRecord,
  type SignInRecord,
  signInList,
  tokenHash,
} from './auth-records.ts'
export {
  type ApiKeyRequest,
  apiKeyId,
  apiKeyRequest,
  type BearerRequest,
  bearerRequest,
  delegationRequest,
  type RevocationRequest,
  revocationRequest,
} from './auth-requests.ts'
export {
  type ChatEvent,
  capabilityData,
  chatEvent,
  firstUnstoredNumber,
  type MessageMetadata,
  messageMetadata,
  noticeData,
  type Outcome,
  outcome,
  type QuestionData,
  questionData,
  type Usage,
  usage,
} from './chat-event.ts'
export {
  type ApprovalDecision,
  approvalDecision,
  type ChatMessage,
  type ChatRequest,
  type ClientToolInput,
  chatMessage,
  chatRequest,
  clientTool,
  filePart,
  identifier,
  maxClientTools,
  maxDecisionReason,
  maxMessageCharacters,
} from './chat-request.ts'
export { type ClaimCheck, type ClaimChecks, claimChecks } from './claim-checks.ts'
export { type ActivityClaim, type ClaimSubmission, claimSubmission } from './claim-submission.ts'
export {
  type CodeFile,
  type CodeOutcome,
  type CodeOutputFile,
  type CodeRequest,
  type CodeRunner,
  codeRunner,
} from './code-runner.ts'
export type { CountedActor } from './counted-actor.ts'
export {
  type CheckedCredential,
  type CredentialCheck,
  type CredentialChecks,
  credentialChecks,
} from './credential-checks.ts'
export {
  type CredentialIssuer,
  type CredentialRequest,
  credentialIssuer,
  type PreparedCredential,
} from './credential-issuer.ts'
export { canonicalDid, normalDid, sameDid } from './did-form.ts'
export {
  type DidDocument,
  type DidError,
  type DidResolution,
  type DidResolutionOptions,
  type DidResolver,
  didResolver,
} from './did-resolver.ts'
export {
  type DirectoryEdge,
  type DirectoryEntity,
  type DirectoryProtocol,
  type EntityDirectory,
  entityDirectory,
  type SharedTransaction,
} from './entity-directory.ts'
export {
  didText,
  type EntityCreation,
  type EntityPatch,
  type EntityRecord,
  entityCreation,
  entityPatch,
  entityRecord,
  memberName,
  type Violation,
} from './entity-records.ts'
export { type EntityRegistry, entityRegistry, type RegisteredEntity } from './entity-registry.ts'
export { jsonPointer } from './json-pointer.ts'
export { isObject, type JsonObject, type JsonValue, jsonValue, parseJson } from './json-value.ts'
export { maskPhone } from './mask-phone.ts'
export { mergePatch } from './merge-patch.ts'
export {
  type FileText,
  type FileToKeep,
  type PersonFile,
  type PersonFiles,
  personFiles,
  personFilesAbilities,
} from './person-files.ts'
export { matrixNotices, type PersonNotices, smsNotices } from './person-notices.ts'
export { phoneChannel, readPhoneNumber } from './phone-channel.ts'
export { gsm7Septets, phoneTextLength } from './phone-text.ts'
export { plainPhoneText, shortenPhoneText } from './plain-phone-text.ts'
export { type Problem, problemSchema } from './problem.ts'
export { type PropertyRule, type PropertyRuleMap, type PropertyRules, propertyRules } from './property-rules.ts'
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
  sessionMessage,
  sessionRecord,
  sessionSummary,
} from './records.ts'
export { type ServiceToken, serviceToken } from './service-token.ts'
export { type SkillLibrary, skillLibrary } from './skill-library.ts'
export { type SmsMessage, type SmsSender, smsSender } from './sms-sender.ts'
export { storable } from './storable-text.ts'
export { type PricedTurn, type TurnPrices, turnPrices } from './turn-prices.ts'
export { type Preferences, type PreferencesPatch, type UserPreferences, userPreferences } from './user-preferences.ts'
export { nextUtcDay, utcDay } from './utc-day.ts'
export { type WeatherDay, type WeatherForecasts, weatherForecasts } from './weather-forecasts.ts'
