import { type Clock, KeyedQueue, type Logger } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import type { Jobs } from '@sibyl/plugin/storage'
import { z } from 'zod'
import type { FlowCounts } from '../counts/flow-counts.ts'
import type { FlowMachine } from '../flow/flow-machine.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { ActionJobs, actionJobKind } from './action-jobs.ts'
import { adoptActions, recoverAction } from './action-recovery.ts'
import { createActionRuns } from './action-runs.ts'
import { dropSession, serveRequest } from './serve-request.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionSettings } from './session-env.ts'
import { listSessions, type SessionView, viewSession } from './session-lists.ts'
import { startSessionMaintenance } from './session-maintenance.ts'
import { createPlaces } from './session-place.ts'
import { SessionSeals } from './session-seals.ts'
import { SessionStore } from './session-store.ts'
import { SessionTime } from './session-time.ts'

export interface SessionEngineDependencies {
  readonly storage: UssdStorage
  readonly jobs: Pick<Jobs, 'define' | 'enqueue' | 'hold'>
  readonly vault: Vault
  readonly machine: FlowMachine
  readonly clock: Clock
  /** Monotonic time in milliseconds, which detects clock jumps. @default performance.now */
  readonly stopwatch?: () => number
  readonly log: Logger
  readonly settings: SessionSettings
  /** Counts where sessions stop. @default none */
  readonly counts?: Pick<FlowCounts, 'add'>
  /** Returns the language that a phone's user chose before; called only at dials. @default none */
  readonly knownLanguage?: (phoneNumber: string) => Promise<string | undefined>
}

/** Time that actions get to end when the engine is disposed of, in milliseconds. */
const disposeLimitMs = 1_000

/** Data of a job that takes over an action: the session's key, and the id of the run. */
const actionJob = z.object({ key: z.string(), run: z.string() })

/** Creates the engine and starts its maintenance. */
export const createSessionEngine = (dependencies: SessionEngineDependencies) => {
  const { storage, vault, machine, clock, stopwatch, log, settings } = dependencies
  const { knownLanguage = async () => undefined, counts = { add: () => {} } } = dependencies
  const ending = new AbortController()
  const time = new SessionTime(clock, stopwatch)
  const seals = new SessionSeals(vault)
  const runs = createActionRuns(settings.ttlMs, log)
  const jobs = new ActionJobs(dependencies.jobs, runs)
  const store = new SessionStore(storage, seals, time, settings.ttlMs, jobs)
  const queue = new KeyedQueue()
  const placeOf = createPlaces(settings, vault)
  const shared = { storage, machine, settings, counts, log, time, seals, store, runs, jobs, queue }
  const context: SessionContext = { ...shared, knownLanguage, signal: ending.signal }
  const jobLimits = { maxAttempts: 25, concurrency: 64, timeLimitMs: settings.ttlMs + 60_000 }
  dependencies.jobs.define(actionJobKind, actionJob, (data, call) => recoverAction(context, data, call), jobLimits)
  const maintenance = startSessionMaintenance(context)
  const adopted = adoptActions(context, dependencies.jobs)
  return {
    /**
     * Serves one request; the promise resolves once the move is on disk. A repeated request, also concurrently or in two
     * processes, moves the session once and gets the same reply. Undefined for `release` and `timeout`.
     *
     * @throws StorageError if the database is unavailable, `ussd_session_contested`
     */
    serve(request: UssdRequest): Promise<UssdReply | undefined> {
      const place = placeOf(request)
      const [key] = place.keys
      const { event } = request
      if (event === 'dial' || event === 'input') return queue.run(key, () => serveRequest(context, request, place))
      for (const one of place.keys) {
        if (settings.resume) runs.get(one)?.endWaits()
        else runs.get(one)?.abort()
      }
      return queue.run(key, () => dropSession(context, place, event))
    },
    /** Returns the newest active session of that id, of any phone. */
    find: (sessionId: string): Promise<SessionView | undefined> => viewSession(context, sessionId),
    /** Returns the IDs of active sessions, newest first, at most `limit`, and their number. */
    list: (limit: number) => listSessions(context, limit),
    /** Aborts the running actions; those that do not end within a second are left to another process. */
    async dispose(): Promise<void> {
      await Promise.all([adopted, maintenance.stop()])
      await runs.dispose(disposeLimitMs)
      await queue.idle()
      ending.abort()
      await jobs.releaseAll()
    },
  }
}

/** Moves and stores sessions; its maintenance runs until it is disposed of. */
export type SessionEngine = ReturnType<typeof createSessionEngine>
