export { publicKeyFromDid, repeatedMembers } from '@sibyl/identity'
export { type CamelCaseStorage, camelCaseTransaction } from '@sibyl/storage'
export type { Grant } from './actors/actor.ts'
export type { CredentialSource } from './actors/credential-source.ts'
export { abilitiesOf, type RequiredAbility, sendAbility } from './actors/holds-ability.ts'
export { isPlainAbility, isRequiredAbility } from './actors/is-required-ability.ts'
export { grantSources, joinGrants } from './actors/join-grants.ts'
export { envDefault, envMeta, isSecretName } from './definition/env-meta.ts'
export { asBundled } from './definition/oracle-plugin.ts'
export { type Example, type LoadMode, loadMode, manifestSchema } from './definition/plugin-manifest.ts'
export { callingManager, projectSibyl, sibylCommand } from './definition/sibyl-command.ts'
export { withoutUndefined } from './definition/without-undefined.ts'
export { type BootProblem, distinctProblems, verdictText } from './errors/boot-error.ts'
export { isPersonNeeded } from './errors/is-error.ts'
export type { PersonQuestion } from './errors/person-needed.ts'
export type {
  GrantVerdict,
  HostAccess,
  HostCapability,
  HostGrants,
  HostIdentity,
  HostLimits,
  HostPeople,
  OracleProfile,
} from './host/host.ts'
export { retryAfter } from './http/retry-after.ts'
export { type StreamedRequest, type StreamTarget, streamTarget, type TextSink, textStream } from './http/text-stream.ts'
export type { OracleKey } from './identity/oracle-key.ts'
export { newId } from './ids/new-id.ts'
export { readAddressList } from './limits/address-list.ts'
export { countEarlier, deleteCounted, type StoredBytes } from './limits/counted-rows.ts'
export { networksOf, normalAddress } from './limits/ip-address.ts'
export { makeOriginOf, makeShareOf, type OriginOf, siteShares } from './limits/limit-shares.ts'
export { makePlaces } from './limits/places.ts'
export type { RateVerdict } from './limits/rate-verdict.ts'
export { archivedText, notHeld, type RetentionRun } from './limits/retention.ts'
export { makeLine } from './limits/waiting-line.ts'
export { encodeTexts } from './lists/stream-texts.ts'
export type { LogFields } from './logging/logger.ts'
export { type LogLevel, makeLogger } from './logging/make-logger.ts'
export { createTextRedactor, createValueRedactor, isSecretField, redacted } from './logging/redaction.ts'
export { silentLogger } from './logging/silent-logger.ts'
export type { Access, OracleEnvironment, OracleVariables, RouteRateLimit } from './routes/route.ts'
export {
  type CreateRoute,
  type RouteContext,
  type RouteDefinition,
  type RouteMethod,
  routeBuilder,
} from './routes/route-builder.ts'
export { escapeUnsafe } from './text/clean-text.ts'
export { editDistance } from './text/near-names.ts'
export { systemClock } from './time/clock.ts'
export type { Agent, AgentAnswer, AgentTask } from './tools/agent.ts'
export type { AgentDefinition } from './tools/define-agent.ts'
export type { PersonAnswer } from './tools/tool.ts'
export {
  type ClientRequest,
  createRequestRuns,
  type RequestPlace,
  type RequestRuns,
  requestTable,
} from './turns/request-runs.ts'
export type {
  Channel,
  ClientTool,
  EarlierMessage,
  PendingCall,
  Post,
  SessionMessage,
  SessionTool,
  SessionTools,
  ToolRequest,
  Transcript,
  TurnEvent,
  Turns,
} from './turns/turn.ts'
