import type { Clock, Logger } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import type { FlowMachine } from '../flow/flow-machine.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { UssdStorage } from '../storage/ussd-tables.ts'
import { ActionKeeper } from './action-keeper.ts'
import { ActionMover } from './action-mover.ts'
import { ActionRuns } from './action-runs.ts'
import { keepSessions } from './keep-sessions.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { LateActions } from './late-actions.ts'
import { SessionResumer } from './resume-session.ts'
import { RunLeases } from './run-leases.ts'
import type { SessionSettings } from './session-env.ts'
import { SessionLists, type SessionView } from './session-lists.ts'
import { SessionMover } from './session-mover.ts'
import { placeOf } from './session-place.ts'
import { SessionSeals } from './session-seals.ts'
import { SessionStore } from './session-store.ts'
import { SessionTime } from './session-time.ts'

/** Moves sessions, and keeps them. */
export interface SessionEngine {
  /**
   * Serves one request; the promise resolves once the move is on disk. The same request twice, also at the same time or in
   * two processes, moves the session once and gets the same reply. Undefined for `release` and `timeout`.
   *
   * @throws StorageError where the database does not answer, SessionContestedError `ussd_session_contested`
   */
  serve(request: UssdRequest): Promise<UssdReply | undefined>
  /** The newest active session of that id, whosever it is. */
  find(sessionId: string): Promise<SessionView | undefined>
  /** The ids of active sessions, the newest first, at most `limit`, and how many there are. */
  list(limit: number): Promise<{ readonly ids: readonly string[]; readonly count: number }>
}

/** An engine that keeps its house, until it is disposed of. */
export interface RunningSessionEngine extends SessionEngine {
  /** Ends: actions under way are told to stop, and what they do not end in a second is left to another process. */
  dispose(): Promise<void>
}

/** What an engine rests on. */
export interface SessionEngineParts {
  readonly storage: UssdStorage
  readonly vault: Vault
  readonly machine: FlowMachine
  readonly clock: Clock
  /** Milliseconds that pass evenly: shows when the clock jumps. @default performance.now */
  readonly stopwatch?: () => number
  readonly log: Logger
  readonly settings: SessionSettings
  /** The language that a phone's user chose before; asked at dials alone. @default nobody chose one */
  readonly knownLanguage?: (phoneNumber: string) => Promise<string | undefined>
}

/** How long actions have to end when the engine does, in milliseconds. */
const disposeLimitMs = 1_000

/**
 * Makes the engine, and begins its housekeeping.
 *
 * @example
 * const engine = createSessionEngine({ storage, vault, machine, clock, log, settings: sessionSettings(env) })
 * const reply = await engine.serve({ provider: 'plain', sessionId: 's1', phoneNumber: '+260971234567',
 *   serviceCode: '*1234#', event: 'dial', text: '', textMode: 'cumulative', limits: { gsm7: 182, ucs2: 80 } })
 */
export const createSessionEngine = (parts: SessionEngineParts): RunningSessionEngine => {
  const { storage, vault, machine, clock, stopwatch, log, settings } = parts
  const { knownLanguage = async () => undefined } = parts
  const ending = new AbortController()
  const time = new SessionTime(clock, stopwatch)
  const seals = new SessionSeals(vault)
  const store = new SessionStore({ storage, seals, time, ttlMs: settings.ttlMs })
  const lists = new SessionLists(storage, seals, time)
  const leases = new RunLeases(storage, time)
  const queue = new KeyedQueue()
  const runs = new ActionRuns({ longestMs: settings.ttlMs }, log)
  const keeper = new ActionKeeper({ store, machine, runs, queue, log, leases, seals, signal: ending.signal })
  const actions = new ActionMover({ store, machine, runs, log, keepLater: run => keeper.keepLater(run) })
  const late = new LateActions({ store, machine, runs, actions, leases, shared: storage.engine === 'postgres' })
  const resumer = new SessionResumer({ store, lists, machine, actions, settings })
  const mover = new SessionMover({ store, machine, runs, settings, actions, late, resumer, seals, knownLanguage })
  const house = keepSessions({ storage, store, time, log, settings, runs, leases, queue, keeper })

  return {
    async serve(request) {
      const place = placeOf(request, settings, vault)
      const [key] = place.keys
      const { event } = request
      if (event === 'dial' || event === 'input') return await queue.run(key, () => mover.serve(request, place))
      for (const one of place.keys) {
        if (settings.resume) runs.get(one)?.letGo()
        else runs.get(one)?.leave()
      }
      await queue.run(key, () => mover.drop(place))
      return undefined
    },
    find: sessionId => lists.view(sessionId),
    list: limit => lists.active(limit),
    async dispose() {
      await house.stop()
      await runs.dispose(disposeLimitMs)
      await queue.idle()
      ending.abort()
      await leases.release(runs.keys)
    },
  }
}
