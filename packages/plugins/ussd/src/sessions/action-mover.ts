import { randomUUID } from 'node:crypto'
import type { Logger } from '@sibyl/plugin'
import type { ActionScreen } from '../flow/flow.ts'
import { FlowInvalidError } from '../flow/flow-invalid-error.ts'
import type { ActionOutcome, FlowFacts, FlowMachine, FlowState, FlowStep } from '../flow/flow-machine.ts'
import type { ActionRun, ActionRuns } from './action-runs.ts'
import type { Move, MoveResult, MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SaveOptions, SessionStore } from './session-store.ts'

/** How long a phone waits for an action that does not say, in milliseconds. */
export const defaultWaitMs = 8_000

/** What the mover rests on. */
export interface ActionMoverParts {
  readonly store: SessionStore
  readonly machine: FlowMachine
  readonly runs: ActionRuns
  readonly log: Logger
  /** Has the outcome of a run kept when it comes, however late. */
  readonly keepLater: (run: ActionRun) => void
}

/** A step, and what the action before it wants written. */
export interface Led {
  readonly step: FlowStep
  readonly write: MoveWrite
}

/** Leads on from an action that has ended. One that leads nowhere has failed. */
export const leadOn = (
  { machine, log }: Pick<ActionMoverParts, 'machine' | 'log'>,
  state: FlowState,
  outcome: ActionOutcome,
  facts: FlowFacts,
): Led => {
  try {
    const write = outcome.kind === 'done' ? outcome.result.write : undefined
    return { step: machine.afterAction(state, outcome, facts), write }
  } catch (error) {
    if (!(error instanceof FlowInvalidError)) throw error
    log.error('an action leads to a screen that is not there', { screen: state.screen, error })
    return { step: machine.afterAction(state, { kind: 'failed' }, facts), write: undefined }
  }
}

/** Takes moves to their end: saves them, and runs the actions on their way. */
export class ActionMover {
  readonly #parts: ActionMoverParts

  constructor(parts: ActionMoverParts) {
    this.#parts = parts
  }

  /** Ends a move that has come to this step. */
  async settle(move: Move, step: FlowStep, write?: MoveWrite): Promise<MoveResult> {
    if (step.kind === 'show') {
      const saved = await this.#save(move, { state: step.state, reply: step.reply }, { write })
      return saved ? step.reply : undefined
    }
    const { state, action } = step
    const run = { id: randomUUID(), state, limits: move.facts.limits, waitsMs: action.timeLimitMs ?? defaultWaitMs }
    if (action.effect === 'read' && write === undefined) return await this.#run(move, run, action)
    const saved = await this.#saveLate(move, run, write)
    return saved ? await this.look(next(move), run, action) : undefined
  }

  /** Looks for the outcome of an action that is on disk, for as long as its phone waits; starts it where it does not run here. */
  async look(from: Move, run: PendingRun, action: ActionScreen): Promise<MoveResult> {
    const { runs, machine, keepLater } = this.#parts
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
      else keepLater(here)
    }
  }

  /** Ends a move whose action has ended. */
  async end(move: Move, run: PendingRun, outcome: ActionOutcome): Promise<MoveResult> {
    const { step, write } = leadOn(this.#parts, run.state, outcome, move.facts)
    return await this.settle(move, step, write)
  }

  /** Runs an action that nobody knows of but this process, unless it is late. */
  async #run(from: Move, run: PendingRun, action: ActionScreen): Promise<MoveResult> {
    const { runs, machine, keepLater } = this.#parts
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
      if (saved) keepLater(here)
      else {
        here.leave()
        runs.forget(here)
      }
    }
  }

  #saveLate(move: Move, run: PendingRun, write?: MoveWrite): Promise<boolean> {
    const reply = this.#parts.machine.late(run.state, move.facts)
    return this.#save(move, { state: run.state, reply, run }, { write, running: 'here' })
  }

  #save(move: Move, shown: Pick<SessionRecord, 'state' | 'reply' | 'run'>, how: SaveOptions): Promise<boolean> {
    const status = shown.reply.kind === 'end' ? 'ended' : 'active'
    return this.#parts.store.save({ ...next(move).session, status, record: { ...move.texts, ...shown } }, how)
  }
}

const next = (move: Move): Move => ({ ...move, session: { ...move.session, version: move.session.version + 1 } })

/** The same move, with the end of its patience set by its first action. */
const timed = (move: Move, { waitsMs }: PendingRun): Move =>
  move.until === undefined ? { ...move, until: performance.now() + waitsMs } : move

const leftMs = ({ until }: Move, { waitsMs }: PendingRun): number =>
  Math.max(0, Math.min(waitsMs, (until ?? 0) - performance.now()))
