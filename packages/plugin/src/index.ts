export { type Example, type LoadMode, loadMode, type Manifest, manifestSchema } from './definition/plugin-manifest.ts'
export { BootError, type BootProblem, distinctProblems, verdictText } from './errors/boot-error.ts'
export {
  type DefinedError,
  type DefinedErrorConstructor,
  defineErrors,
  defineToolFailures,
  definitionsOf,
  type ErrorDefinition,
  type ErrorDetails,
  type ErrorGroup,
  type ErrorParameter,
} from './errors/define-errors.ts'
export { isBootError, isOracleError, isPersonNeeded, isToolFailure } from './errors/is-error.ts'
export { type ErrorFacts, type ErrorIssue, OracleError } from './errors/oracle-error.ts'
export { PersonNeeded, type PersonQuestion } from './errors/person-needed.ts'
export { ToolFailure } from './errors/tool-failure.ts'
export {
  type BodySource,
  bodyErrors,
  type ReadBodyOptions,
  readBody,
  readJson,
  readText,
} from './http/read-body.ts'
export { listErrors, type Page, type PageDefinition, type PageFilters, type PageOptions, page } from './lists/page.ts'
export type { LogFields, Logger } from './logging/logger.ts'
export { silentLogger } from './logging/silent-logger.ts'
export { every, type Maintenance, type MaintenanceInterval } from './maintenance/every.ts'
export {
  type Deliver,
  type DeliveryCall,
  type DeliveryResult,
  type Outbox,
  type OutboxOptions,
  outbox,
} from './outbox/outbox.ts'
export { type AssetResponseOptions, acceptsGzip, assetResponse, isUnchanged } from './pages/asset-response.ts'
export { escapeHtml } from './pages/escape-html.ts'
export { type HtmlResponseOptions, htmlResponse } from './pages/html-response.ts'
export { type PageAsset, type PageFile, pageAssets } from './pages/page-assets.ts'
export { type PagePolicyOptions, pagePolicy } from './pages/page-policy.ts'
export { KeyedQueue, type KeyedQueueOptions, queueErrors } from './queues/keyed-queue.ts'
export { type WorkerMessage, workerErrors } from './queues/worker-messages.ts'
export { type WorkerJobOptions, WorkerPool, type WorkerPoolOptions } from './queues/worker-pool.ts'
export { type CamelCaseStorage, camelCaseStorage, camelCaseTransaction } from './tables/camel-case-storage.ts'
export {
  defineTable,
  type KyselyRow,
  type Table,
  type TableColumns,
  type TableOptions,
  type TablesOf,
} from './tables/define-table.ts'
export { column, type TableColumn, type TableColumnType } from './tables/table-column.ts'
export { tableFaults } from './tables/table-faults.ts'
export { type CleanTextOptions, cleanText, hasUnsafeText } from './text/clean-text.ts'
export { type Clock, systemClock } from './time/clock.ts'
export { pause } from './time/pause.ts'
export { type BackoffOptions, backoff, type RetryOptions, retry } from './time/retry.ts'
export { type TimeoutOptions, timeErrors, withTimeout } from './time/with-timeout.ts'
export { type IndexWordsOptions, indexWords, isSmall, rarity } from './words/index-words.ts'
export { rootOf } from './words/root-of.ts'
export { smallWords, type WordLanguage } from './words/small-words.ts'
export {
  type IndexedItem,
  type WordIndex,
  type WordIndexTable,
  type WordMatches,
  type WordSearchLimits,
  wordIndex,
} from './words/word-index.ts'
