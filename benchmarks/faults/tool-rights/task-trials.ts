import { setTimeout as pause } from 'node:timers/promises'
import { askRoutes, type Bench, callerFor, named, wantedBy, wantedEither } from './bench.ts'
import type { Caller, RightState } from './callers.ts'
import { callAll, type Plan, readAll } from './plans.ts'
import type { RouteVerdicts } from './route-verdicts.ts'
import type { Situation } from './situations.ts'
import type { Trial } from './tally.ts'
import { type Verdict, verdictOfCode, verdictOfResponse } from './verdict.ts'

/** Creates a task whose instruction is a plan. @returns its id, or the verdict on the request */
export const createTask = async (
  caller: Pick<Caller, 'request'>,
  { text }: Plan,
): Promise<{ readonly id: string } | { readonly refused: Verdict }> => {
  const json = { what: text, when: { inMinutes: 100_000 } }
  const answer = await caller.request('/tasks', { json })
  if (answer.status === 201) return (await answer.json()) as { readonly id: string }
  const refused = await verdictOfResponse(answer)
  if (refused === 'run') throw new Error(`No task was created: ${answer.status}.`)
  return { refused }
}

/** Runs a task now, and waits for the end of the run. @returns the verdict on the run as a whole */
export const runTask = async (owner: Pick<Caller, 'request'>, id: string): Promise<Verdict> => {
  const path = `/tasks/${id}/runs`
  const begun = await owner.request(path, { method: 'POST' })
  if (begun.status !== 202) throw new Error(`The task was not run: ${begun.status} ${await begun.text()}`)
  for (;;) {
    const answer = await owner.request(path)
    const { runs } = (await answer.json()) as {
      readonly runs: readonly { readonly state: string; readonly code?: string }[]
    }
    const [run] = runs
    if (run?.state === 'done') return 'run'
    if (run?.state === 'failed' || run?.state === 'stopped') return verdictOfCode(run.code ?? '')
    await pause(2)
  }
}

/** Runs the task of a plan, and compares what its tools did. */
export const compareTask = async (
  bench: Bench,
  run: { readonly plan: Plan; readonly id: string; readonly owner: Pick<Caller, 'request'>; readonly trial: Trial },
  routes: () => Promise<{ readonly before: RouteVerdicts; readonly after: RouteVerdicts }>,
): Promise<void> => {
  const { tally, tools, oracle } = bench
  const { plan, id, owner, trial } = run
  const ended = await runTask(owner, id)
  const { before, after } = await routes()
  if (ended === 'run')
    tally.compareAll(trial, tools, wantedEither(wantedBy(bench, before), wantedBy(bench, after)), plan)
  else tally.compareEach(trial, tools, wantedBy(bench, after), ended)
  oracle.plans.drop(plan)
}

/** A task that calls every tool. Where the right ends, it ends before the run of one task, and during that of another. */
export const tryTask = async (bench: Bench, situation: Situation, state: RightState): Promise<void> => {
  for (const isDuring of state === 'revoked' || state === 'expired' ? [false, true] : [false]) {
    const held = [...new Set([...situation, 'tasks/write'])]
    const caller = await callerFor(bench, held, state)
    const channel = isDuring ? 'task, during its run' : 'task'
    const trial = { channel, state, caller: named(caller, held) }
    const plan = bench.oracle.plans.make(made => [
      callAll(made, bench.tools, { id: 'a', ...(isDuring && caller.end && { first: caller.end }) }),
      readAll(made, { id: 'a' }),
    ])
    const before = await askRoutes(bench, caller)
    const created = await createTask(caller, plan)
    if ('refused' in created) {
      bench.tally.compareEach(trial, bench.tools, wantedBy(bench, before), created.refused)
      await caller.end?.()
      continue
    }
    if (!isDuring) await caller.end?.()
    await compareTask(bench, { plan, id: created.id, owner: caller.self, trial }, async () => ({
      before,
      after: caller.end ? await askRoutes(bench, caller) : before,
    }))
  }
}
