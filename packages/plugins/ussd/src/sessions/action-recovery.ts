import { randomUUID } from 'node:crypto'
import { backoff, retry } from '@sibyl/plugin'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ActionOutcome, FlowFacts, FlowState, FlowStep } from '../flow/flow-machine.ts'
import type { ActionRun } from './action-runs.ts'
import { claimLease } from './run-leases.ts'
import type { SessionContext } from './session-context.ts'
import type { MoveWrite, PendingRun, SessionRecord } from './session-record.ts'
import type { SaveOptions } from './session-store.ts'

export const defaultWaitMs = 8_000

const storeDelayMs = backoff({ firstMs: 250, maxMs: 5_000, jitter: 0 })

/** Most reads of a session that other processes move meanwhile. */
const mostTries = 25

/** Stores the outcome of a run that is on disk, as soon as it is there and the database is available. */
export const storeLater = (context: SessionContext, run: ActionRun): void => {
  if (run.isStored) return
  run.isStored = true
  void storeOutcome(context, run)
}

/**
 * Takes over the action of a session whose process crashed: an action that may run again does; of others the outcome is unknown.
 *
 * @param live Whether also from a process whose lease has not expired: on SQLite this process is the only one.
 */
export const recoverAction = async (context: SessionContext, key: string, live: boolean): Promise<void> => {
  const { store, machine, runs, seals } = context
  const known = await store.find(key)
  const run = known?.record.run
  if (known === undefined || run === undefined || runs.get(key) !== undefined) return
  if (!(await claimLease(context, key, live))) return
  const facts = { phoneNumber: seals.openPhone(known), serviceCode: known.serviceCode, limits: run.limits }
  const step = machine.take(run.state, '1', facts)
  if (step.kind === 'show') await applyOutcome(context, key, run, { kind: 'failed' }, facts)
  else if (step.action.effect === 'write') await applyOutcome(context, key, run, { kind: 'unknown' }, facts)
  else storeLater(context, runs.start({ key, run, action: step.action, facts }))
}

/** Returns the step after an action that has ended, with the action's write. An action that leads to no screen has failed. */
export const nextStep = (
  { machine, log }: SessionContext,
  state: FlowState,
  outcome: ActionOutcome,
  facts: FlowFacts,
): { readonly step: FlowStep; readonly write: MoveWrite } => {
  try {
    const write = outcome.kind === 'done' ? outcome.result.write : undefined
    return { step: machine.afterAction(state, outcome, facts), write }
  } catch (error) {
    if (!ussdErrors.flow_invalid.is(error)) throw error
    log.error('an action leads to a screen that is not there', { screen: state.screen, error })
    return { step: machine.afterAction(state, { kind: 'failed' }, facts), write: undefined }
  }
}

const storeOutcome = async (context: SessionContext, here: ActionRun): Promise<void> => {
  const { queue, runs, log, signal } = context
  const outcome = await here.outcome
  if (outcome === undefined) return
  const { key, run, facts } = here.request
  const stored = retry(() => queue.run(key, () => applyOutcome(context, key, run, outcome, facts)), {
    attempts: Number.POSITIVE_INFINITY,
    delayMs: storeDelayMs,
    onRetry: error =>
      log.warn('the outcome of an action could not be stored; it is retried', { screen: run.state.screen, error }),
    signal,
  })
  await stored.then(
    () => runs.forget(here),
    () => {},
  )
}

/** Stores an outcome with its session, unless the session has gone on without it; runs the action that follows. */
const applyOutcome = async (
  context: SessionContext,
  key: string,
  run: PendingRun,
  outcome: ActionOutcome,
  facts: FlowFacts,
): Promise<void> => {
  const { store, runs } = context
  for (let tries = 0; tries < mostTries; tries++) {
    const known = await store.find(key)
    if (known?.record.run?.id !== run.id) return
    const isEnded = known.status === 'ended'
    const save = (record: SessionRecord, how: SaveOptions) =>
      store.save({ ...known, version: known.version + 1, record }, { ...how, touched: false })
    const { step, write } = nextStep(context, run.state, outcome, facts)
    const { state } = step
    if (step.kind === 'show') {
      const kept = isEnded ? {} : { outcome: { state, reply: step.reply } }
      if (await save({ ...known.record, run: undefined, ...kept }, { write })) return
    } else {
      const { action } = step
      const follower = { ...run, id: randomUUID(), state, waitsMs: action.timeLimitMs ?? defaultWaitMs }
      const record = { ...known.record, ...(isEnded ? {} : { state }), run: follower }
      if (await save(record, { write, running: 'here' }))
        return storeLater(context, runs.start({ key, run: follower, action, facts }))
    }
  }
  throw ussdErrors.ussd_session_contested({ tries: mostTries })
}
