import { randomUUID } from 'node:crypto'
import { backoff, type KeyedQueue, type Logger, retry } from '@sibyl/plugin'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionScreen } from '../flow/flow.ts'
import type { ActionOutcome, FlowFacts, FlowMachine } from '../flow/flow-machine.ts'
import type { ActionRun, ActionRuns } from './action-runs.ts'
import { defaultWaitMs, nextStep } from './move-executor.ts'
import type { RunLeases } from './run-leases.ts'
import type { KnownSession, MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SessionSeals } from './session-seals.ts'
import type { SaveOptions, SessionStore } from './session-store.ts'

/** Delay before an outcome is stored again. */
const storeDelayMs = backoff({ firstMs: 250, maxMs: 5_000, jitter: 0 })

const mostTries = 25

/** Dependencies of the recovery. */
export interface ActionRecoveryDependencies {
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

/** Stores outcomes of actions: of late ones, and of those whose process crashed. */
export class ActionRecovery {
  readonly #dependencies: ActionRecoveryDependencies

  constructor(dependencies: ActionRecoveryDependencies) {
    this.#dependencies = dependencies
  }

  /** Stores the outcome of a run that is on disk, as soon as it is there and the database is available. */
  storeLater(run: ActionRun): void {
    if (run.isStored) return
    run.isStored = true
    void this.#store(run)
  }

  /**
   * Takes over the action of a session whose process crashed: an action that may run again does; of others the outcome is unknown.
   *
   * @param live Whether also from a process whose lease has not expired: on SQLite this process is the only one.
   */
  async recover(key: string, live: boolean): Promise<void> {
    const { store, machine, runs, leases } = this.#dependencies
    const known = await store.find(key)
    const run = known?.record.run
    if (known === undefined || run === undefined || runs.get(key) !== undefined) return
    if (!(await leases.claim(key, live))) return
    const facts = this.#factsOf(known, run)
    const step = machine.take(run.state, '1', facts)
    if (step.kind === 'show') await this.#apply(key, run, { kind: 'failed' }, facts)
    else if (step.action.effect === 'write') await this.#apply(key, run, { kind: 'unknown' }, facts)
    else this.storeLater(runs.start({ key, run, action: step.action, facts }))
  }

  async #store(here: ActionRun): Promise<void> {
    const { queue, runs, log, signal } = this.#dependencies
    const outcome = await here.outcome
    if (outcome === undefined) return
    const { key, run, facts } = here.request
    const stored = retry(() => queue.run(key, () => this.#apply(key, run, outcome, facts)), {
      attempts: Number.POSITIVE_INFINITY,
      delayMs: storeDelayMs,
      onRetry: error =>
        log.warn('what came of an action could not be kept; it is tried again', { screen: run.state.screen, error }),
      signal,
    })
    await stored.then(
      () => runs.forget(here),
      () => {},
    )
  }

  /** Stores an outcome with its session, unless the session has gone on without it. */
  async #apply(key: string, run: PendingRun, outcome: ActionOutcome, facts: FlowFacts): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      const known = await this.#dependencies.store.find(key)
      if (known?.record.run?.id !== run.id) return
      const { step, write } = nextStep(this.#dependencies, run.state, outcome, facts)
      if (step.kind === 'show') {
        const kept = known.status === 'ended' ? {} : { outcome: { state: step.state, reply: step.reply } }
        const record = { ...known.record, run: undefined, ...kept }
        if (await this.#save(known, record, { write })) return
      } else if (
        await this.#runNext(known, step.action, { ...run, id: randomUUID(), state: step.state }, { facts, write })
      ) {
        return
      }
    }
    throw ussdErrors.ussd_session_contested({ tries: mostTries })
  }

  /** Runs the action that follows another. */
  async #runNext(
    known: KnownSession,
    action: ActionScreen,
    follows: PendingRun,
    { facts, write }: { readonly facts: FlowFacts; readonly write: MoveWrite },
  ): Promise<boolean> {
    const run = { ...follows, waitsMs: action.timeLimitMs ?? defaultWaitMs }
    const record = { ...known.record, ...(known.status === 'ended' ? {} : { state: run.state }), run }
    if (!(await this.#save(known, record, { write, running: 'here' }))) return false
    this.storeLater(this.#dependencies.runs.start({ key: known.key, run, action, facts }))
    return true
  }

  #save(known: KnownSession, record: SessionRecord, how: SaveOptions): Promise<boolean> {
    return this.#dependencies.store.save({ ...known, version: known.version + 1, record }, { ...how, touched: false })
  }

  #factsOf(known: KnownSession, run: PendingRun): FlowFacts {
    return {
      phoneNumber: this.#dependencies.seals.openPhone(known),
      serviceCode: known.serviceCode,
      limits: run.limits,
    }
  }
}
