import { randomUUID } from 'node:crypto'
import type { Logger } from '@sibyl/plugin'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionScreen } from '../flow/flow.ts'
import type { ActionOutcome, FlowFacts, FlowMachine, FlowState, FlowStep } from '../flow/flow-machine.ts'
import type { ActionRun, ActionRuns } from './action-runs.ts'
import type { Move, MoveResult, MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SaveOptions, SessionStore } from './session-store.ts'

/** Default time limit of an action, in milliseconds. */
export const defaultWaitMs = 8_000

/** Dependencies of the executor. */
export interface MoveExecutorDependencies {
  readonly store: SessionStore
  readonly machine: FlowMachine
  readonly runs: ActionRuns
  readonly log: Logger
  /** Stores the outcome of a run when it ends, however late. */
  readonly storeLater: (run: ActionRun) => void
}

/** A step, and the write of the action before it. */
export interface NextStep {
  readonly step: FlowStep
  readonly write: MoveWrite
}

/** Returns the step after an action that has ended. An action that leads to no screen has failed. */
export const nextStep = (
  { machine, log }: Pick<MoveExecutorDependencies, 'machine' | 'log'>,
  state: FlowState,
  outcome: ActionOutcome,
  facts: FlowFacts,
): NextStep => {
  try {
    const write = outcome.kind === 'done' ? outcome.result.write : undefined
    return { step: machine.afterAction(state, outcome, facts), write }
  } catch (error) {
    if (!ussdErrors.flow_invalid.is(error)) throw error
    log.error('an action leads to a screen that is not there', { screen: state.screen, error })
    return { step: machine.afterAction(state, { kind: 'failed' }, facts), write: undefined }
  }
}

/** Executes moves: runs the actions of a move and saves the session. */
export class MoveExecutor {
  readonly #dependencies: MoveExecutorDependencies

  constructor(dependencies: MoveExecutorDependencies) {
    this.#dependencies = dependencies
  }

  /** Completes a move at this step. */
  async complete(move: Move, step: FlowStep, write?: MoveWrite): Promise<MoveResult> {
    if (step.kind === 'show') {
      const saved = await this.#save(move, { state: step.state, reply: step.reply }, { write })
      return saved ? step.reply : undefined
    }
    const { state, action } = step
    const run = { id: randomUUID(), state, limits: move.facts.limits, waitsMs: action.timeLimitMs ?? defaultWaitMs }
    if (action.effect === 'read' && write === undefined) return await this.#run(move, run, action)
    const saved = await this.#saveLate(move, run, write)
    return saved ? await this.awaitOutcome(next(move), run, action) : undefined
  }

  /** Waits for the outcome of an action that is on disk, as long as its phone waits; starts it where it does not run here. */
  async awaitOutcome(from: Move, run: PendingRun, action: ActionScreen): Promise<MoveResult> {
    const { runs, machine, storeLater } = this.#dependencies
    const move = timed(from, run)
    const { key } = move.session
    const known = runs.get(key)
    const here = known?.request.run.id === run.id ? known : runs.start({ key, run, action, facts: move.facts })
    let ended = false
    try {
      const outcome = await here.within(leftMs(move, run))
      if (outcome !== undefined) {
        const reply = await this.end(move, run, outcome)
        ended = reply !== undefined
        return reply
      }
      const saved = await this.#saveLate(move, run)
      return saved ? machine.late(run.state, move.facts) : undefined
    } finally {
      if (ended) runs.forget(here)
      else storeLater(here)
    }
  }

  /** Completes a move whose action has ended. */
  async end(move: Move, run: PendingRun, outcome: ActionOutcome): Promise<MoveResult> {
    const { step, write } = nextStep(this.#dependencies, run.state, outcome, move.facts)
    return await this.complete(move, step, write)
  }

  /** Runs an action that is on disk only once it is late. */
  async #run(from: Move, run: PendingRun, action: ActionScreen): Promise<MoveResult> {
    const { runs, machine, storeLater } = this.#dependencies
    const move = timed(from, run)
    const here = runs.start({ key: move.session.key, run, action, facts: move.facts })
    const outcome = await here.within(leftMs(move, run))
    if (outcome !== undefined) {
      runs.forget(here)
      return await this.end(move, run, outcome)
    }
    let saved = false
    try {
      saved = await this.#saveLate(move, run)
      return saved ? machine.late(run.state, move.facts) : undefined
    } finally {
      if (saved) storeLater(here)
      else {
        here.leave()
        runs.forget(here)
      }
    }
  }

  #saveLate(move: Move, run: PendingRun, write?: MoveWrite): Promise<boolean> {
    const reply = this.#dependencies.machine.late(run.state, move.facts)
    return this.#save(move, { state: run.state, reply, run }, { write, running: 'here' })
  }

  #save(move: Move, shown: Pick<SessionRecord, 'state' | 'reply' | 'run'>, how: SaveOptions): Promise<boolean> {
    const status = shown.reply.kind === 'end' ? 'ended' : 'active'
    return this.#dependencies.store.save({ ...next(move).session, status, record: { ...move.texts, ...shown } }, how)
  }
}

const next = (move: Move): Move => ({ ...move, session: { ...move.session, version: move.session.version + 1 } })

/** Returns the move with its deadline, which its first action sets. */
const timed = (move: Move, { waitsMs }: PendingRun): Move =>
  move.until === undefined ? { ...move, until: performance.now() + waitsMs } : move

const leftMs = ({ until }: Move, { waitsMs }: PendingRun): number =>
  Math.max(0, Math.min(waitsMs, (until ?? 0) - performance.now()))
