import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@sibyl/plugin'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionScreen } from '../flow/flow.ts'
import type { ActionOutcome, FlowFacts, FlowMachine } from '../flow/flow-machine.ts'
import { defaultWaitMs, leadOn } from './action-mover.ts'
import type { ActionRun, ActionRuns } from './action-runs.ts'
import type { KeyedQueue } from './keyed-queue.ts'
import type { RunLeases } from './run-leases.ts'

import type { KnownSession, MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SessionSeals } from './session-seals.ts'
import type { SaveOptions, SessionStore } from './session-store.ts'

const firstPauseMs = 250
const longestPauseMs = 5_000
const mostTries = 25

/** What the keeper rests on. */
export interface ActionKeeperParts {
  readonly store: SessionStore
  readonly machine: FlowMachine
  readonly runs: ActionRuns
  readonly queue: KeyedQueue
  readonly log: Logger
  readonly leases: RunLeases
  readonly seals: SessionSeals
  /** Aborts when the engine is disposed of. */
  readonly signal: AbortSignal
}

/** Sees to it that what came of actions is kept: of those that were late, and of those whose process died. */
export class ActionKeeper {
  readonly #parts: ActionKeeperParts

  constructor(parts: ActionKeeperParts) {
    this.#parts = parts
  }

  /** Keeps the outcome of a run that is on disk, once it comes and the database answers. */
  keepLater(run: ActionRun): void {
    if (run.kept) return
    run.kept = true
    void this.#keep(run)
  }

  /**
   * Takes over the action of a session whose process died: what may run again does, and of the rest nobody knows.
   *
   * @param live Whether also from a process that is taken to be alive: on SQLite there is none but this one.
   */
  async recover(key: string, live: boolean): Promise<void> {
    const { store, machine, runs, leases } = this.#parts
    const known = await store.find(key)
    const run = known?.record.run
    if (known === undefined || run === undefined || runs.get(key) !== undefined) return
    if (!(await leases.claim(key, live))) return
    const facts = this.#factsOf(known, run)
    const step = machine.take(run.state, '1', facts)
    if (step.kind === 'show') await this.#apply(key, run, { kind: 'failed' }, facts)
    else if (step.action.effect === 'write') await this.#apply(key, run, { kind: 'unknown' }, facts)
    else this.keepLater(runs.start({ key, run, action: step.action, facts }))
  }

  async #keep(here: ActionRun): Promise<void> {
    const { queue, runs, log, signal } = this.#parts
    const outcome = await here.outcome
    if (outcome === undefined) return
    const { key, run, facts } = here.request
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await queue.run(key, () => this.#apply(key, run, outcome, facts))
        return runs.forget(here)
      } catch (error) {
        log.warn('what came of an action could not be kept; it is tried again', { screen: run.state.screen, error })
        await pause(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Keeps an outcome with its session, unless that went on without it. */
  async #apply(key: string, run: PendingRun, outcome: ActionOutcome, facts: FlowFacts): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      const known = await this.#parts.store.find(key)
      if (known?.record.run?.id !== run.id) return
      const { step, write } = leadOn(this.#parts, run.state, outcome, facts)
      if (step.kind === 'show') {
        const kept = known.status === 'ended' ? {} : { outcome: { state: step.state, reply: step.reply } }
        const record = { ...known.record, run: undefined, ...kept }
        if (await this.#save(known, record, { write })) return
      } else if (
        await this.#goOn(known, step.action, { ...run, id: randomUUID(), state: step.state }, { facts, write })
      ) {
        return
      }
    }
    throw ussdErrors.ussd_session_contested({ tries: mostTries })
  }

  /** Runs the action that follows on another. */
  async #goOn(
    known: KnownSession,
    action: ActionScreen,
    follows: PendingRun,
    { facts, write }: { readonly facts: FlowFacts; readonly write: MoveWrite },
  ): Promise<boolean> {
    const run = { ...follows, waitsMs: action.timeLimitMs ?? defaultWaitMs }
    const record = { ...known.record, ...(known.status === 'ended' ? {} : { state: run.state }), run }
    if (!(await this.#save(known, record, { write, running: 'here' }))) return false
    this.keepLater(this.#parts.runs.start({ key: known.key, run, action, facts }))
    return true
  }

  #save(known: KnownSession, record: SessionRecord, how: SaveOptions): Promise<boolean> {
    return this.#parts.store.save({ ...known, version: known.version + 1, record }, { ...how, touched: false })
  }

  #factsOf(known: KnownSession, run: PendingRun): FlowFacts {
    return { phoneNumber: this.#parts.seals.openPhone(known), serviceCode: known.serviceCode, limits: run.limits }
  }
}
