/** Bodies and responses of the routes for API keys, bearers, delegations, revocations and sign-ins. */
export * as authSchemas from './auth-records.ts'
export {
  type ChatEvent,
  chatEvent,
  firstUnstoredNumber,
  type MessageMetadata,
  messageMetadata,
  type Outcome,
  outcome,
  type Usage,
  usage,
} from './chat-event.ts'
export {
  approvalDecision,
  type ChatMessage,
  chatLimits,
  chatMessage,
  chatRequest,
  clientTool,
  identifier,
} from './chat-request.ts'
export { claimChecks } from './claim-checks.ts'
export { claimSubmission } from './claim-submission.ts'
export { codeRunner } from './code-runner.ts'
export type { CountedActor } from './counted-actor.ts'
export { credentialChecks } from './credential-checks.ts'
export { credentialIssuer } from './credential-issuer.ts'
export { canonicalDid, normalDid, sameDid } from './did-form.ts'
export { type DidDocument, didResolver } from './did-resolver.ts'
export { didText } from './did-text.ts'
export { entityDirectory } from './entity-directory.ts'
export { jsonPointer } from './json-pointer.ts'
export { isObject, type JsonObject, type JsonValue, jsonValue, parseJson } from './json-value.ts'
export { messageParts } from './message-parts.ts'
export { personFiles, personFilesAbilities } from './person-files.ts'
export { personNotices } from './person-notices.ts'
export { problemSchema } from './problem.ts'
export { memberName, type PropertyRule, propertyRules, type Violation } from './property-rules.ts'
export {
  type CapabilityRecord,
  capabilityRecord,
  healthRecord,
  type OracleRecord,
  oracleRecord,
  sessionRecord,
  sessionSummary,
} from './records.ts'
export { type ServiceOf, type ServiceToken, serviceToken } from './service-token.ts'
export { skillLibrary } from './skill-library.ts'
export { smsSender } from './sms-sender.ts'
export { storable } from './storable-text.ts'
export { turnPrices } from './turn-prices.ts'
export { userPreferences } from './user-preferences.ts'
