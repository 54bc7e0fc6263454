import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Logger } from '@sibyl/plugin'
import type { Storage } from '@sibyl/storage'
import type { ModelCallBounds } from '../agent/language-model.ts'
import type { CheckGrant } from '../auth/grant-check.ts'
import { createReplayGuard, type ReplayGuard } from '../auth/replay-guard.ts'
import { TokenBudgets } from '../budgets/token-budgets.ts'
import { createTokenUsageStore } from '../budgets/token-usage-store.ts'
import type { CoreEnv } from '../config/core-env.ts'
import type { ShareOf } from '../limits/limit-shares.ts'
import { keepHouse } from '../maintenance/maintenance.ts'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import type { CoreTables } from '../sessions/core-tables.ts'
import { createSessionStore, type SessionStore } from '../sessions/session-store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { CapabilityCatalog } from '../tools/capability-catalog.ts'
import { createApprovalStore } from './approval-store.ts'
import { BoundCalls } from './bound-calls.ts'
import { type FirstStep, firstStep } from './first-step.ts'
import { TurnRecovery } from './recover-turns.ts'
import { createToolCallStore } from './tool-call-store.ts'
import type { TurnServices } from './turn-dependencies.ts'
import { AfterHooks, TurnHookRunner } from './turn-hooks.ts'
import { TurnCalls } from './turn-notifier.ts'
import { eventsKeptMs } from './turn-reader.ts'
import { TurnEngine } from './turn-service.ts'
import { createTurnStore } from './turn-store.ts'

/** What the engine is made from. */
export interface TurnEngineRequest {
  readonly storage: Storage
  readonly plugins: readonly ReadyPlugin[]
  readonly catalog: CapabilityCatalog
  readonly env: CoreEnv
  readonly model: (bounds: ModelCallBounds) => Promise<LanguageModelV4>
  readonly modelName: string
  /** How callers share the oracle's budget. */
  readonly shareOf: ShareOf
  readonly modelProblem: string | undefined
  /** What else is forgotten once it has expired. */
  readonly forgetExpired: (now: number, signal: AbortSignal) => Promise<void>
  /** Checks whether the database was replaced by a backup. */
  readonly checkRestore: () => Promise<unknown>
  readonly checkGrant: CheckGrant
  readonly now: () => number
  readonly log: Logger
  readonly telemetry: Telemetry
}

/** The engine with what belongs to it. */
export interface MadeTurnEngine {
  readonly engine: TurnEngine
  readonly sessions: SessionStore
  readonly replayGuard: ReplayGuard
  readonly budgets: TokenBudgets
  /** Ends what an unclean end left, once, before the first request; gives how many turns were cut off. */
  recover(): Promise<number>
  /** What the model would be sent first, were somebody to say this. */
  firstStep(text: string): Promise<FirstStep | undefined>
  /** Tidies up every now and then until the returned function is called. */
  keepHouse(): () => Promise<void>
}

/** Makes the turn engine on the app's storage. */
export const makeTurnEngine = (request: TurnEngineRequest): MadeTurnEngine => {
  const { plugins, catalog, env, now, log } = request
  const storage = request.storage.for<CoreTables>()
  const shared = storage.engine === 'postgres'
  const turns = createTurnStore(storage, now)
  const sessions = createSessionStore(storage)
  const toolCalls = createToolCallStore(storage)
  const replayGuard = createReplayGuard(storage)
  const processId = storage.processes.ownId
  const tokenUsage = createTokenUsageStore(storage, processId)
  const budgets = new TokenBudgets(
    {
      perDid: env.TOKEN_BUDGET_DID_PER_DAY,
      oracle: env.TOKEN_BUDGET_ORACLE_PER_DAY,
      perTurn: env.TURN_MAX_TOKENS,
    },
    { usage: tokenUsage, shared, shareOf: request.shareOf, now },
  )
  const hooks = new TurnHookRunner(
    plugins.flatMap(({ plugin, parts }) => (parts.turn ? [{ plugin: plugin.name, hooks: parts.turn }] : [])),
    log,
  )
  const afterHooks = new AfterHooks({ hooks, store: turns, log })
  const runsHere = (turnId: string) => engine.runsHere(turnId)
  const recovery = new TurnRecovery({
    storage,
    turns,
    toolCalls,
    hooks,
    afterHooks,
    modelName: request.modelName,
    log,
    now,
    runsHere,
  })
  const recoverDead = () => recovery.recoverDead()
  const approvals = createApprovalStore(storage)
  const calls = new TurnCalls(storage.processes, turnId => engine.called(turnId))
  const boundCalls = new BoundCalls({
    store: turns,
    sessions,
    approvals,
    calls,
    processes: storage.processes,
    checkGrant: request.checkGrant,
    log,
    start: request => engine.start(request),
  })
  const services: TurnServices = {
    sessions,
    approvals,
    toolCalls,
    boundCalls,
    catalog,
    profile: {
      name: env.ORACLE_NAME,
      ...(env.ORACLE_DESCRIPTION === undefined ? {} : { description: env.ORACLE_DESCRIPTION }),
      ...(env.ORACLE_PROMPT === undefined ? {} : { prompt: env.ORACLE_PROMPT }),
    },
    limits: {
      timeLimitMs: env.TURN_TIME_LIMIT_SECONDS * 1000,
      toolTimeLimitMs: env.TOOL_TIME_LIMIT_SECONDS * 1000,
      maxSteps: env.TURN_MAX_STEPS,
      maxTokens: env.TURN_MAX_TOKENS,
      historyTokens: env.HISTORY_MAX_TOKENS,
    },
    model: request.model,
    middleware: plugins.flatMap(({ parts }) => (parts.modelMiddleware ? [parts.modelMiddleware] : [])),
    checkGrant: request.checkGrant,
    now,
    log,
    telemetry: request.telemetry,
  }
  const engine: TurnEngine = new TurnEngine({
    store: turns,
    hooks,
    afterHooks,
    budgets,
    modelProblem: request.modelProblem,
    modelName: request.modelName,
    processId,
    calls,
    recoverDead,
    boundCalls,
    services,
  })
  return {
    engine,
    sessions,
    replayGuard,
    budgets,
    firstStep: text => firstStep(services, text),
    recover: () => (shared ? recoverDead() : recovery.recoverAll()),
    keepHouse() {
      const stop = keepHouse({
        storage,
        replayGuard,
        tokenUsage,
        forgetExpired: request.forgetExpired,
        checkRestore: request.checkRestore,
        keepEventsMs: eventsKeptMs,
        now,
        log,
        recoverDead,
      })
      return () => {
        stop()
        return recovery.close()
      }
    },
  }
}
