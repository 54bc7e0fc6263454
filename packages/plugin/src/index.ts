export {
  abilityCovers,
  fromBase58,
  parseMnemonic,
  publicKeyFromDid,
  repeatedMembers,
  toBase58,
  verifySignature,
} from '@sibyl/identity'
export {
  type CamelCaseStorage,
  camelCaseStorage,
  camelCaseTransaction,
  column,
  createTables,
  defineTable,
  type Table,
  type TableColumn,
  type TablesOf,
  tableViolations,
} from '@sibyl/storage'
export type { Actor, Grant } from './actors/actor.ts'
export type { CredentialSource } from './actors/credential-source.ts'
export {
  abilitiesOf,
  channelAbilities,
  holdsAbility,
  personalAbility,
  type RequiredAbility,
  sendAbility,
} from './actors/holds-ability.ts'
export { isPlainAbility, isRequiredAbility } from './actors/is-required-ability.ts'
export { grantSources, joinGrants } from './actors/join-grants.ts'
export { envDefault, envMeta, isSecretName } from './definition/env-meta.ts'
export {
  asBundled,
  type Capability,
  definePlugin,
  type EnvSchema,
  type OraclePlugin,
  type PersonalRecords,
  type PersonChannels,
  type PluginDefinition,
  type PluginOutbox,
  type PluginParts,
  type ProvidedService,
  provide,
  type TurnInstructions,
} from './definition/oracle-plugin.ts'
export { type Example, type LoadMode, loadMode, type Manifest, manifestSchema } from './definition/plugin-manifest.ts'
export { BootError, type BootProblem, distinctProblems, verdictText } from './errors/boot-error.ts'
export {
  type DefinedError,
  type DefinedErrorConstructor,
  defineErrors,
  defineToolFailures,
  definitionsOf,
  type ErrorDefinition,
  type ErrorGroup,
  type ErrorParameter,
} from './errors/define-errors.ts'
export { isBootError, isOracleError, isPersonNeeded, isToolFailure } from './errors/is-error.ts'
export { type ErrorFacts, type ErrorIssue, OracleError } from './errors/oracle-error.ts'
export { PersonNeeded, type PersonQuestion } from './errors/person-needed.ts'
export { ToolFailure } from './errors/tool-failure.ts'
export type {
  GrantVerdict,
  Host,
  HostAccess,
  HostCapability,
  HostGrants,
  HostIdentity,
  HostLimits,
  HostPeople,
  OracleProfile,
  PersonalData,
} from './host/host.ts'
export { type BodySource, bodyErrors, type ReadBodyOptions, readBody, readJson, readText } from './http/read-body.ts'
export { retryAfter } from './http/retry-after.ts'
export { sseResponse } from './http/sse-response.ts'
export { type StreamedRequest, type StreamTarget, streamTarget, type TextSink, textStream } from './http/text-stream.ts'
export { didKeyDocument, verificationMethodId } from './identity/did-key-document.ts'
export type { OracleKey } from './identity/oracle-key.ts'
export { newId } from './ids/new-id.ts'
export { type AddressList, addressList, readAddressList } from './limits/address-list.ts'
export { networksOf, normalAddress } from './limits/ip-address.ts'
export {
  holderOf,
  type LimitShare,
  makeOriginOf,
  makeShareOf,
  type OriginOf,
  type ShareOf,
} from './limits/limit-shares.ts'
export { type Full, makePlaces, type Place, type Places } from './limits/places.ts'
export type { RateVerdict } from './limits/rate-verdict.ts'
export { type LineLimits, makeLine, type WaitingLine } from './limits/waiting-line.ts'
export { eachRow, unlessNone } from './lists/each-row.ts'
export { listErrors, type Page, type PageDefinition, type PageFilters, type PageOptions, page } from './lists/page.ts'
export type { LogFields, Logger } from './logging/logger.ts'
export { type LogLevel, makeLogger } from './logging/make-logger.ts'
export { createTextRedactor, createValueRedactor, isSecretField, redacted } from './logging/redaction.ts'
export { silentLogger } from './logging/silent-logger.ts'
export { every, type Maintenance } from './maintenance/every.ts'
export {
  type DeliveryCall,
  type DeliveryResult,
  type Outbox,
  outbox,
} from './outbox/outbox.ts'
export { type AssetResponseOptions, acceptsGzip, assetResponse, isUnchanged } from './pages/asset-response.ts'
export { escapeHtml } from './pages/escape-html.ts'
export { type HtmlResponseOptions, htmlResponse } from './pages/html-response.ts'
export { type PageAsset, type PageFile, pageAssets } from './pages/page-assets.ts'
export { type PagePolicyOptions, pagePolicy } from './pages/page-policy.ts'
export { erasedMark } from './privacy/erased-mark.ts'
export { KeyedQueue, type KeyedQueueOptions } from './queues/keyed-queue.ts'
export { type WorkerMessage, workerErrors } from './queues/worker-messages.ts'
export { type WorkerJobOptions, WorkerPool, type WorkerPoolOptions } from './queues/worker-pool.ts'
export type {
  Access,
  OracleEnvironment,
  OracleVariables,
  Route,
  RouteOptions,
  RouteRateLimit,
  RouteRefusal,
} from './routes/route.ts'
export { problem, routeAnswers } from './routes/route-answers.ts'
export {
  type CreateRoute,
  type RouteContext,
  type RouteDefinition,
  type RouteMethod,
  route,
  routeBuilder,
} from './routes/route-builder.ts'
export { type CleanTextOptions, cleanText, hasUnsafeText } from './text/clean-text.ts'
export { editDistance, nearNames } from './text/near-names.ts'
export { type UntrustedContent, untrustedContent } from './text/untrusted-content.ts'
export { visibleText } from './text/visible-text.ts'
export { type Clock, systemClock } from './time/clock.ts'
export { isoTime } from './time/iso-time.ts'
export { pause } from './time/pause.ts'
export { type BackoffOptions, backoff, type RetryOptions, retry } from './time/retry.ts'
export { type TimeoutOptions, timeErrors, withTimeout } from './time/with-timeout.ts'
export type { Agent, AgentAnswer, AgentTask } from './tools/agent.ts'
export { type AgentDefinition, defineAgent } from './tools/define-agent.ts'
export { defineTool, type PersonAnswer, type Tool, type ToolCall, type Tools } from './tools/tool.ts'
export { consentInstruction, readConsent } from './turns/read-consent.ts'
export type {
  Channel,
  ClientTool,
  EarlierMessage,
  PendingCall,
  Post,
  Refusal,
  SessionMessage,
  SessionTool,
  SessionTools,
  StartedTurn,
  ToolRequest,
  Transcript,
  Turn,
  TurnEnd,
  TurnEvent,
  TurnHooks,
  TurnRecord,
  TurnRequest,
  TurnResult,
  Turns,
} from './turns/turn.ts'
export { type IndexWordsOptions, indexWords, isSmall, rarity } from './words/index-words.ts'
export { rootOf } from './words/root-of.ts'
export { smallWords, type WordLanguage } from './words/small-words.ts'
export {
  type IndexedItem,
  type WordIndex,
  type WordIndexTable,
  type WordMatches,
  wordIndex,
} from './words/word-index.ts'
