import type { LanguageModels } from '@sibyl/models'
import { type Actor, holderOf, type Refusal, type ShareOf } from '@sibyl/plugin'
import { makeLine } from '@sibyl/plugin/host'
import { personFiles, type ServiceOf, turnPrices, type Usage } from '@sibyl/protocol'
import type { Storage } from '@sibyl/storage'
import { createReplayGuard } from '../auth/revocation-store.ts'
import { createStoredBytes } from '../budgets/stored-bytes.ts'
import { TokenBudgets } from '../budgets/token-budgets.ts'
import { addTokenUsage, countedTokens, createTokenUsageStore } from '../budgets/token-usage-store.ts'
import { type CoreEnv, maxAttachmentBytes } from '../config/core-env.ts'
import { type CoreTables, rowByRow } from '../database/core-tables.ts'
import { isInMemory } from '../database/describe-database.ts'
import { type MaintenanceDependencies, startMaintenance } from '../maintenance/maintenance.ts'
import type { PluginRegistry } from '../plugins/plugin-registry.ts'
import type { ServiceRegistry } from '../plugins/service-registry.ts'
import { createSessionStore } from '../sessions/session-store.ts'
import { HeldCalls } from './approvals/asking-turn.ts'
import { createPendingApprovals } from './approvals/pending-approvals.ts'
import { createClaimStore } from './claim/claim-turn.ts'
import { type ClaimDependencies, LocalTurns } from './claim/local-turns.ts'
import { type FirstStep, firstStep, type SessionCall, type SessionQuestion, sessionCall } from './inspect-prompt.ts'
import { AnswerChecks, answerLine } from './loop/answer-checks.ts'
import { systemPrompt } from './loop/prompt.ts'
import { pluginTurns } from './plugin-turns.ts'
import { createApprovalStore } from './store/approval-store.ts'
import { TurnRecovery } from './store/recover-turns.ts'
import { createToolCallStore } from './store/tool-call-store.ts'
import { AfterHooks } from './store/turn-hooks.ts'
import { TurnNotifier } from './store/turn-notifier.ts'
import { refusals } from './store/turn-refusals.ts'
import { createTurnStore } from './store/turn-store.ts'
import { eventsKeptMs } from './turn-reader.ts'
import { TurnService } from './turn-service.ts'

/** Options of `makeTurns`. Registry, catalog, hooks and middleware are filled when the plugins are set up. */
export interface TurnsRequest
  extends Pick<ClaimDependencies, 'catalog' | 'hooks' | 'middleware' | 'checkGrant' | 'now' | 'log' | 'telemetry'>,
    Pick<MaintenanceDependencies, 'forgetExpired' | 'checkRestore'> {
  readonly storage: Storage
  readonly registry: PluginRegistry
  readonly env: CoreEnv
  readonly models: LanguageModels
  /** The services of plugins: attachments and prices of turns. */
  readonly services: Pick<ServiceRegistry, 'find'>
  /** The share of the oracle's budget that a caller has. */
  readonly shareOf: ShareOf
}

/** Reserved tokens of the budgets of an actor. */
export interface ReservedTokens {
  /** Releases the reservation, and stores the used tokens. */
  settle(usage: Usage): Promise<void>
}

/** A decimal megabyte, as for disks and quotas. */
const megabyte = 1_000_000

/** Makes the turns on the app's storage: first the stores, then what runs turns, then what recovers and serves them. */
export const makeTurns = (request: TurnsRequest) => {
  const { env, models, services, catalog, hooks, middleware, checkGrant, now, log, telemetry } = request
  const storage = request.storage.for<CoreTables>()
  const { processes } = storage
  const shared = storage.engine === 'postgres'
  const turns = createTurnStore(storage, now)
  const sessions = createSessionStore(storage)
  const replayGuard = createReplayGuard(storage)
  const tokenUsage = createTokenUsageStore(storage, processes.ownId)
  const budgets = new TokenBudgets(
    {
      perDid: env.TOKEN_BUDGET_DID_PER_DAY,
      oracle: env.TOKEN_BUDGET_ORACLE_PER_DAY,
      perTurn: env.TURN_MAX_TOKENS,
    },
    { usage: tokenUsage, shared, shareOf: request.shareOf, now },
  )
  const stored = createStoredBytes(
    storage.read,
    { perHolder: env.CONVERSATIONS_QUOTA_MB * megabyte, total: env.CONVERSATIONS_TOTAL_MB * megabyte },
    request.shareOf,
  )
  const answerChecks = new AnswerChecks(makeLine(answerLine, request.shareOf))
  const files = (): ServiceOf<typeof personFiles> | undefined => services.find(personFiles)
  const dependencies: ClaimDependencies = {
    turns,
    claims: createClaimStore(storage),
    sessions,
    approvals: createApprovalStore(storage),
    toolCalls: createToolCallStore(storage),
    ...{ catalog, hooks, middleware, checkGrant, now, log, telemetry },
    afterHooks: new AfterHooks(hooks, turns, log),
    heldCalls: new HeldCalls(processes.ownId),
    notifier: new TurnNotifier(processes),
    processes,
    profile: {
      name: env.ORACLE_NAME,
      ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
      ...(env.ORACLE_PROMPT === undefined ? {} : { prompt: env.ORACLE_PROMPT }),
    },
    limits: {
      timeLimitMs: env.TURN_TIME_LIMIT_SECONDS * 1000,
      toolTimeLimitMs: env.TOOL_TIME_LIMIT_SECONDS * 1000,
      clientToolTimeLimitMs: env.CLIENT_TOOL_TIME_LIMIT_SECONDS * 1000,
      maxSteps: env.TURN_MAX_STEPS,
      maxTokens: env.TURN_MAX_TOKENS,
      historyTokens: env.HISTORY_MAX_TOKENS,
    },
    budgets,
    stored,
    answerChecks,
    model: bounds => models.main(bounds),
    modelName: models.name,
    modelProblem: models.state === 'ready' ? undefined : models.describe(),
    attachments: () => ({
      files: files(),
      inputs: models.inputs,
      maxBytes: maxAttachmentBytes(env),
    }),
    handsOver: !isInMemory(env.DATABASE_URL),
    storesTimings: env.TRACES_KEEP_DAYS > 0,
    prices: () => services.find(turnPrices),
  }
  const local = new LocalTurns(dependencies)
  const recovery = new TurnRecovery(dependencies, local)
  const recoverCrashed = () => recovery.recoverCrashed()
  const service = new TurnService(dependencies, local, recoverCrashed)
  return {
    service,
    /** Turns as plugins use them. */
    forPlugins: pluginTurns(service, dependencies, request.registry),
    sessions,
    /** Returns the store of attachments, if a plugin provides one. */
    files,
    pending: createPendingApprovals(storage, now),
    replayGuard,
    budgets,
    tokenUsage,
    /** Ends the turns that a crash left, once, before the first request; returns how many were interrupted. */
    recover: (): Promise<number> => (shared ? recoverCrashed() : recovery.recoverAll()),
    /** Returns what the model would be sent first for a message. */
    firstStep: (text: string): Promise<FirstStep | undefined> => firstStep(dependencies, text),
    /** Computes what the model receives for a message of a session. */
    sessionCall: (asked: SessionQuestion): Promise<SessionCall | undefined> => sessionCall(dependencies, asked),
    /** Returns the instructions of a new session. */
    systemPrompt: (): string =>
      systemPrompt(
        dependencies.profile,
        catalog.entries().filter(({ mode }) => mode === 'always'),
      ),
    /** Reserves tokens for an answer outside of turns. */
    async reserveTokens(actor: Actor): Promise<ReservedTokens | { readonly refusal: Refusal }> {
      const reserved = await budgets.reserve(actor)
      if ('why' in reserved) return { refusal: refusals.tokenBudgetUsed(reserved) }
      return {
        async settle(usage) {
          reserved.release(countedTokens(usage))
          const spent = { holder: holderOf(actor), origin: null, usage, now: now() }
          await storage.write(tx => addTokenUsage(tx, spent), rowByRow)
        },
      }
    },
    /** Runs the maintenance of the database until the returned function is called. */
    startMaintenance(): () => Promise<void> {
      const { forgetExpired, checkRestore } = request
      const stop = startMaintenance({
        ...{ storage, replayGuard, tokenUsage, forgetExpired, checkRestore, recoverCrashed, now, log },
        endLateCalls: () => service.endLateClientCalls(),
        keepEventsMs: eventsKeptMs,
      })
      local.begin()
      return async () => {
        stop()
        await Promise.all([recovery.close(), answerChecks.close()])
      }
    },
  }
}

/** The turns of an oracle, with what belongs to them. */
export type MadeTurns = ReturnType<typeof makeTurns>
