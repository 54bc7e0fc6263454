import { randomUUID } from 'node:crypto'
import { backoff, retry } from '@sibyl/plugin'
import { type JobCall, type Jobs, sql } from '@sibyl/plugin/storage'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionOutcome, FlowFacts, FlowState, FlowStep } from '../flow/flow-machine.ts'
import { openedOrUndefined } from '../storage/value-lists.ts'
import { actionJobKind } from './action-jobs.ts'
import type { ActionRun } from './action-runs.ts'
import { countMove } from './count-move.ts'
import type { SessionContext } from './session-context.ts'
import type { MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import { keepRunsMs, selectSessions, sharedNow } from './session-sql.ts'
import type { SaveOptions } from './session-store.ts'

export const defaultWaitMs = 8_000

const storeDelayMs = backoff({ firstMs: 250, maxMs: 5_000, jitter: 0 })

/** Maximum number of reads of a session that other processes move concurrently. */
const maxTries = 25

/** Stores the outcome of a persisted run, once it exists and the database is available. */
export const storeLater = (context: SessionContext, run: ActionRun): void => {
  if (run.isStored) return
  run.isStored = true
  void storeOutcome(context, run)
}

/** A run of an action, as named by its job. */
interface JobOfRun {
  /** Key of the session. */
  readonly key: string
  /** ID of the run. */
  readonly run: string
}

/**
 * Takes over the action of a crashed process, and stores its outcome: repeatable actions run again; the outcome of
 * others is unknown.
 *
 * @throws Error if this process ends first
 */
export const recoverAction = async (context: SessionContext, data: JobOfRun, { signal }: JobCall): Promise<void> => {
  const here = await context.queue.run(data.key, () => runAgain(context, data))
  if (here === undefined) return
  const release = () => here.release()
  signal.addEventListener('abort', release, { once: true })
  if (signal.aborted) release()
  here.isStored = true
  if (!(await storeOutcome(context, here))) throw new Error('The process ended before the action did.')
}

const runAgain = async (context: SessionContext, { key, run: runId }: JobOfRun): Promise<ActionRun | undefined> => {
  const { store, machine, runs, seals } = context
  const known = await store.find(key)
  const run = known?.record.run
  if (known === undefined || run?.id !== runId) return undefined
  const here = runs.get(key)
  if (here?.request.run.id === runId) return here
  const facts = { phoneNumber: seals.openPhone(known), serviceCode: known.serviceCode, limits: run.limits }
  const step = machine.input(run.state, '1', facts)
  if (step.kind === 'show') await applyOutcome(context, key, run, { kind: 'failed' }, facts)
  else if (step.action.effect === 'write') await applyOutcome(context, key, run, { kind: 'unknown' }, facts)
  else return runs.start({ key, run, action: step.action, facts })
  return undefined
}

/**
 * Creates jobs for the actions of a version without jobs. Their rows have a lease of seconds instead of a day: until it
 * ends, their process may still run on another computer.
 */
export const adoptActions = async (context: SessionContext, jobs: Pick<Jobs, 'enqueue'>): Promise<void> => {
  const { storage, time, seals, log } = context
  const which = sql`where run_until < ${sharedNow(storage.engine, time.now())} + ${sql.lit(keepRunsMs / 2)}`
  try {
    for (const row of await selectSessions(storage, time.now(), which)) {
      const run = openedOrUndefined(() => seals.session(row))?.record.run?.id
      if (run === undefined) continue
      const runAt = storage.engine === 'postgres' ? { runAt: row.run_until ?? row.now } : {}
      await jobs.enqueue(actionJobKind, { key: row.key, run }, { dedupeKey: run, ...runAt })
    }
  } catch (error) {
    log.warn('actions of an earlier version could not be taken over; they are at the next start', { error })
  }
}

/** Returns the step after a completed action, with the action's write. An action without a valid target has failed. */
export const nextStep = (
  { machine, log }: SessionContext,
  state: FlowState,
  outcome: ActionOutcome,
  facts: FlowFacts,
): { readonly step: FlowStep; readonly write: MoveWrite; readonly failed: boolean } => {
  try {
    const write = outcome.kind === 'done' ? outcome.result.write : undefined
    return { step: machine.afterAction(state, outcome, facts), write, failed: outcome.kind !== 'done' }
  } catch (error) {
    if (!ussdErrors.flow_invalid.is(error)) throw error
    log.error('an action leads to a screen that is not there', { screen: state.screen, error })
    return { step: machine.afterAction(state, { kind: 'failed' }, facts), write: undefined, failed: true }
  }
}

/** Returns false if this process ends first. */
const storeOutcome = async (context: SessionContext, here: ActionRun): Promise<boolean> => {
  const { queue, runs, jobs, log, signal } = context
  const outcome = await here.outcome
  const { key, run, facts } = here.request
  if (outcome === undefined) {
    runs.forget(here)
    return false
  }
  const stored = retry(() => queue.run(key, () => applyOutcome(context, key, run, outcome, facts)), {
    attempts: Number.POSITIVE_INFINITY,
    delayMs: storeDelayMs,
    onRetry: error =>
      log.warn('the outcome of an action could not be stored; it is retried', { screen: run.state.screen, error }),
    signal,
  })
  try {
    await stored
    runs.forget(here)
    await jobs.complete(key, run.id)
    return true
  } catch {
    return false
  }
}

/** Stores an outcome with its session, unless the session has continued without it; runs the next action. */
const applyOutcome = async (
  context: SessionContext,
  key: string,
  run: PendingRun,
  outcome: ActionOutcome,
  facts: FlowFacts,
): Promise<void> => {
  const { store, runs, counts } = context
  for (let tries = 0; tries < maxTries; tries++) {
    const known = await store.find(key)
    if (known?.record.run?.id !== run.id) return
    const isEnded = known.status === 'ended'
    const save = (record: SessionRecord, how: SaveOptions) =>
      store.save({ ...known, version: known.version + 1, record }, { ...how, touched: false })
    const { step, write, failed } = nextStep(context, run.state, outcome, facts)
    const { state } = step
    const count = () => {
      if (failed) counts.add(run.state.screen, 'errors')
      if (step.kind === 'run' && !isEnded)
        countMove(counts, { from: run.state.screen, ran: [], failed: [] }, state.screen)
    }
    if (step.kind === 'show') {
      const kept = isEnded ? {} : { outcome: { state, reply: step.reply } }
      if (await save({ ...known.record, run: undefined, ...kept }, { write })) return count()
    } else {
      const { action } = step
      const follower = { ...run, id: randomUUID(), state, waitsMs: action.timeLimitMs ?? defaultWaitMs }
      const record = { ...known.record, ...(isEnded ? {} : { state }), run: follower }
      if (await save(record, { write })) {
        count()
        return storeLater(context, runs.start({ key, run: follower, action, facts }))
      }
    }
  }
  throw ussdErrors.ussd_session_contested({ tries: maxTries })
}
