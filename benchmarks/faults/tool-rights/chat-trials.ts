import { readStream } from '@sibyl/testing'
import { askRoutes, type Bench, callerFor, named, wantedBy, wantedEither } from './bench.ts'
import type { Caller, RightState } from './callers.ts'
import { callAll, type Plan, readAll } from './plans.ts'
import type { Situation } from './situations.ts'
import { type Verdict, verdictOfCode, verdictOfResponse } from './verdict.ts'

/** Says something, and reads the answer to its end. @returns the verdict on the request */
export const chat = async (
  caller: Pick<Caller, 'request'>,
  { text }: Pick<Plan, 'text'>,
  session: string = crypto.randomUUID(),
): Promise<Verdict> => {
  const answer = await caller.request('/chat', { json: { id: session, message: text } })
  if (answer.status !== 200) return verdictOfResponse(answer)
  await readStream(answer)
  return 'run'
}

/** A chat turn that calls every tool. Where the right ends, it ends when the model has been asked, and then again before a turn. */
export const tryChat = async (bench: Bench, situation: Situation, state: RightState): Promise<void> => {
  const { oracle, tally, tools } = bench
  const caller = await callerFor(bench, situation, state)
  const trial = { channel: 'chat', state, caller: named(caller, situation) }
  const plan = oracle.plans.make(made => [
    callAll(made, tools, { id: 'a', ...(caller.end && { first: caller.end }) }),
    readAll(made, { id: 'a' }),
  ])
  const before = await askRoutes(bench, caller)
  const begun = await chat(caller, plan)
  if (begun !== 'run') {
    tally.compareEach(trial, tools, wantedBy(bench, before), begun)
    await caller.end?.()
  }
  const after = caller.end ? await askRoutes(bench, caller) : before
  if (begun === 'run')
    tally.compareAll(trial, tools, wantedEither(wantedBy(bench, before), wantedBy(bench, after)), plan)
  oracle.plans.drop(plan)
  if (!caller.end) return
  const refused = await chat(caller, { text: 'hello' })
  tally.compareEach({ ...trial, channel: 'chat, later turn' }, tools, wantedBy(bench, after), refused)
}

/** A chat turn, one of whose tools runs a turn that calls every tool. */
export const trySubTurn = async (bench: Bench, situation: Situation, state: RightState): Promise<void> => {
  const { oracle, tally, tools } = bench
  const caller = await callerFor(bench, situation, state)
  const trial = { channel: 'sub-turn', state, caller: named(caller, situation) }
  const part = oracle.plans.make(made => [
    callAll(made, tools, { id: 'a', ...(caller.end && { first: caller.end }) }),
    readAll(made, { id: 'a' }),
  ])
  const whole = oracle.plans.make(() => [() => [{ tool: 'run_part', input: { part: part.text } }]])
  const before = await askRoutes(bench, caller)
  const begun = await chat(caller, whole)
  if (begun !== 'run') tally.compareEach(trial, tools, wantedBy(bench, before), begun)
  else {
    const after = caller.end ? await askRoutes(bench, caller) : before
    tally.compareAll(trial, tools, wantedEither(wantedBy(bench, before), wantedBy(bench, after)), part)
  }
  oracle.plans.drop(part)
  oracle.plans.drop(whole)
}

/** A turn that a plugin runs later, for an actor that it stored. Where the right ends, it ends before that. */
export const tryLater = async (bench: Bench, situation: Situation, state: RightState): Promise<void> => {
  const { oracle, tools } = bench
  const caller = await callerFor(bench, situation, state)
  const trial = { channel: 'stored actor', state, caller: named(caller, situation) }
  const plan = oracle.plans.make(made => [callAll(made, tools, { id: 'a' }), readAll(made, { id: 'a' })])
  const stored = await caller.request(`/probe/later/${plan.text}`, { method: 'POST' })
  const verdict = await verdictOfResponse(stored)
  await caller.end?.()
  const routes = await askRoutes(bench, caller)
  if (verdict !== 'run') return void oracle.plans.drop(plan)
  await runStored(bench, plan, trial, routes)
}

/** Runs a plan for the actor that was stored under its name, and compares it with what the routes say. */
export const runStored = async (
  bench: Bench,
  plan: Plan,
  trial: Parameters<Bench['tally']['compare']>[0],
  routes: Awaited<ReturnType<typeof askRoutes>>,
): Promise<void> => {
  const { oracle, tally, tools } = bench
  const code = await oracle.probe.runLater(plan.text, plan.text)
  const wanted = wantedBy(bench, routes)
  if (code === undefined) tally.compareAll(trial, tools, wanted, plan)
  else tally.compareEach(trial, tools, wanted, verdictOfCode(code))
  oracle.plans.drop(plan)
}
