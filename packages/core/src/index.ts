export { abilityCovers, parseMnemonic, repeatedMembers, verifySignature } from '@sibyl/identity'
export { checkPooling, PoolingUnsupportedError } from '@sibyl/storage'
export type { Actor, Grant } from './auth/actor.ts'
export type { GrantVerdict } from './auth/grant-check.ts'
export { channelAbilities, holdsAbility, personalAbility, type RequiredAbility } from './auth/holds-ability.ts'
export type {
  ListeningAddress,
  OracleApp,
  OracleAppOptions,
  OracleEvents,
  RouteRecord,
} from './boot/oracle-app.ts'
export { type Clock, systemClock } from './config/clock.ts'
export { isSecretName } from './config/env-meta.ts'
export { type EnvVariable, listEnvVariables } from './config/env-reference.ts'
export { configVariables, type OracleConfig } from './config/oracle-config.ts'
export { parseOracleConfig } from './config/parse-oracle-config.ts'
export { createOracleApp } from './create-oracle-app.ts'
export { didKeyDocument } from './did/key-document.ts'
export type { OracleKey } from './did/key-history.ts'
export { verificationMethodId } from './did/oracle-document.ts'
export { BootError, type BootProblem } from './errors/boot-error.ts'
export { type ErrorFacts, type ErrorIssue, OracleError } from './errors/oracle-error.ts'
export { PersonNeeded, type PersonQuestion } from './errors/person-needed.ts'
export { ToolFailure } from './errors/tool-failure.ts'
export { type AddressList, addressList } from './limits/address-list.ts'
export { holderOf, type LimitShare, type OriginOf, type ShareOf } from './limits/limit-shares.ts'
export type { Full, Place, PlaceLimits, Places } from './limits/places.ts'
export type { RateVerdict } from './limits/rate-counter.ts'
export type { LineLimits, WaitingLine } from './limits/waiting-line.ts'
export type { LogFields, Logger } from './logging/logger.ts'
export { createTextRedactor, createValueRedactor } from './logging/redaction.ts'
export { erasedMark } from './people/erased-mark.ts'
export type {
  Host,
  HostAccess,
  HostGrants,
  HostIdentity,
  HostLimits,
  HostPeople,
  OracleProfile,
} from './plugins/host.ts'
export { isRequiredAbility } from './plugins/is-required-ability.ts'
export {
  asBundled,
  type Capability,
  definePlugin,
  type EnvSchema,
  type OraclePlugin,
  type PersonalRecords,
  type PluginDefinition,
  type PluginParts,
  type ProvidedService,
  provide,
  type TurnInstructions,
} from './plugins/oracle-plugin.ts'
export { type Example, type LoadMode, loadMode, type Manifest, manifestSchema } from './plugins/plugin-manifest.ts'
export {
  type Access,
  defineRoute,
  type OracleEnvironment,
  type OracleVariables,
  type Route,
  type RouteOptions,
  type RouteRateLimit,
  type RouteRefusal,
} from './plugins/route.ts'
export { routeAnswers } from './plugins/route-answers.ts'
export { defineTool, type PersonAnswer, type Tool, type ToolCall, type Tools } from './plugins/tool.ts'
export type {
  Channel,
  Refusal,
  StartedTurn,
  Transcript,
  Turn,
  TurnEnd,
  TurnEvent,
  TurnHooks,
  TurnRecord,
  TurnRequest,
  TurnResult,
  Turns,
} from './plugins/turn.ts'
export { nearNames } from './tools/near-names.ts'
export { type UntrustedContent, untrustedContent } from './tools/untrusted-content.ts'
export { visibleText } from './tools/visible-text.ts'
export { coreVersion } from './version.ts'
