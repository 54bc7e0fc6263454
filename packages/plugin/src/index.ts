export { abilityCovers, fromBase58, toBase58, verifySignature } from '@sibyl/identity'
export {
  camelCaseStorage,
  column,
  createTables,
  defineTable,
  type Table,
  type TablesOf,
  tableViolations,
} from '@sibyl/storage'
export type { Actor } from './actors/actor.ts'
export { channelAbilities, holdsAbility, personalAbility } from './actors/holds-ability.ts'
export {
  type AfterMove,
  type Capability,
  definePlugin,
  type EnvSchema,
  type OraclePlugin,
  type OwnedFilesOf,
  type PersonalRecords,
  type PersonChannels,
  type PersonNames,
  type PluginOutbox,
  type PluginParts,
  provide,
} from './definition/oracle-plugin.ts'
export type { Manifest } from './definition/plugin-manifest.ts'
export { BootError } from './errors/boot-error.ts'
export {
  type DefinedErrorConstructor,
  defineErrors,
  defineToolFailures,
  type ErrorGroup,
} from './errors/define-errors.ts'
export { isBootError, isOracleError, isToolFailure } from './errors/is-error.ts'
export { type ErrorIssue, OracleError } from './errors/oracle-error.ts'
export { PersonNeeded } from './errors/person-needed.ts'
export { ToolFailure } from './errors/tool-failure.ts'
export type { Host } from './host/host.ts'
export { bodyErrors, readBody, readJson, readText } from './http/read-body.ts'
export { sseResponse } from './http/sse-response.ts'
export { didKeyDocument, verificationMethodId } from './identity/did-key-document.ts'
export { type AddressList, addressList } from './limits/address-list.ts'
export { fullOfRows, type StoredSpace } from './limits/counted-rows.ts'
export { countedOrigins, holderOf, type LimitShare, type ShareOf } from './limits/limit-shares.ts'
export type { Full, Place, Places } from './limits/places.ts'
export { type Retention, retain } from './limits/retention.ts'
export type { LineLimits, WaitingLine } from './limits/waiting-line.ts'
export { eachRow, unlessNone } from './lists/each-row.ts'
export { listErrors, type Page, page } from './lists/page.ts'
export { jsonTexts, streamTexts } from './lists/stream-texts.ts'
export type { Logger } from './logging/logger.ts'
export { every } from './maintenance/every.ts'
export { type DeliveryCall, type DeliveryResult, outbox } from './outbox/outbox.ts'
export { assetResponse, isUnchanged } from './pages/asset-response.ts'
export { escapeHtml } from './pages/escape-html.ts'
export { htmlResponse } from './pages/html-response.ts'
export { type PageAsset, pageAssets } from './pages/page-assets.ts'
export { pagePolicy } from './pages/page-policy.ts'
export { erasedMark } from './privacy/erased-mark.ts'
export type { PersonalData } from './privacy/personal-data.ts'
export { KeyedQueue } from './queues/keyed-queue.ts'
export { type WorkerMessage, workerErrors } from './queues/worker-messages.ts'
export { WorkerPool } from './queues/worker-pool.ts'
export type { Route, RouteOptions, RouteRefusal } from './routes/route.ts'
export { problem, routeAnswers } from './routes/route-answers.ts'
export { route } from './routes/route-builder.ts'
export { cleanText, hasUnsafeText } from './text/clean-text.ts'
export { nearNames } from './text/near-names.ts'
export { untrustedContent } from './text/untrusted-content.ts'
export { visibleText } from './text/visible-text.ts'
export type { Clock } from './time/clock.ts'
export { isoTime } from './time/iso-time.ts'
export { pause } from './time/pause.ts'
export { backoff, retry } from './time/retry.ts'
export { nextUtcDay, utcDay } from './time/utc-day.ts'
export { timeErrors, withTimeout } from './time/with-timeout.ts'
export { defineAgent } from './tools/define-agent.ts'
export { defineTool, type Tool, type ToolCall, type Tools } from './tools/tool.ts'
export { consentText } from './turns/consent-text.ts'
export { readConsent } from './turns/read-consent.ts'
export type {
  Refusal,
  StartedTurn,
  Turn,
  TurnEnd,
  TurnHooks,
  TurnRecord,
  TurnRequest,
  TurnResult,
} from './turns/turn.ts'
export { effectsText, TurnText } from './turns/turn-text.ts'
export { rootOf } from './words/root-of.ts'
export { isSmall } from './words/small-words.ts'
export { type WordIndex, type WordMatches, wordIndex } from './words/word-index.ts'
