import { createSigningKey } from '@sibyl/identity'
import { askRoutes, type Bench, callerFor, named, wantedBy, wantedEither, wantedOfBoth } from './bench.ts'
import type { Caller, RightState } from './callers.ts'
import type { Situation } from './situations.ts'
import { askForAll, compareAsked, decideAll, planAsking } from './waiting-turn.ts'

/** Right that ends, and the time: of the requesting credentials, or of the deciding ones. */
type Ending = 'while it waits' | 'while it goes on' | 'of the decider' | 'never'

const endings: readonly Ending[] = ['while it waits', 'while it goes on', 'of the decider']

/**
 * A turn asks a person about every tool. The person decides with credentials of another situation, and the turn goes on: it
 * runs what was approved, and calls every tool again without asking.
 */
export const tryApproval = async (bench: Bench, situation: Situation, state: RightState): Promise<void> => {
  const { random, situations } = bench
  if (state === 'granted' || state === 'narrowed') {
    const others = [situations[0]!, random.pick(situations)]
    for (const other of others) await tryDecision(bench, { situation, state, other, ending: 'never' })
    return
  }
  for (const ending of endings) {
    await tryDecision(bench, { situation, state, other: random.pick(situations), ending })
  }
}

/** One turn that asks, and the decisions about it. */
interface DecisionTrial {
  readonly situation: Situation
  readonly state: RightState
  /** Situation of the decider. */
  readonly other: Situation
  readonly ending: Ending
}

const tryDecision = async (bench: Bench, { situation, state, other, ending }: DecisionTrial): Promise<void> => {
  const { oracle, tally, tools } = bench
  const key = createSigningKey()
  const ofDecider = ending === 'of the decider'
  const asker = await callerFor(bench, situation, ofDecider ? 'granted' : state, key)
  const decider = await callerFor(bench, other, ofDecider ? state : 'granted', key)
  const trial = {
    state: ending === 'never' ? state : `${state} ${ending}`,
    caller: `${named(asker, situation)}, decided by ${named(decider, other)}`,
  }
  const end = async () => void (await (asker.end ?? decider.end)?.())
  const wantedNow = async () => wantedOfBoth(bench, await askRoutes(bench, asker), await askRoutes(bench, decider))

  const asked = wantedBy(bench, await askRoutes(bench, asker))
  const before = await wantedNow()
  const endsLater = ending === 'while it goes on' || ofDecider
  const plan = planAsking(bench, endsLater ? end : undefined)
  const turn = await askForAll(asker, plan)
  if (typeof turn === 'string') {
    tally.compareEach({ ...trial, channel: 'approval, asked' }, tools, asked, turn)
    oracle.plans.drop(plan)
    return end()
  }
  compareAsked(bench, { ...trial, channel: 'approval, asked' }, asked, turn)
  if (ending === 'while it waits') await end()
  const decided = ending === 'while it waits' ? wantedEither(before, await wantedNow()) : before
  await decideAll(bench, trial, turn, decider, {
    decided,
    goesOn: async () => (endsLater ? wantedEither(before, await wantedNow()) : decided),
  })
  if (ending === 'never') await askAgain(bench, trial, decider, turn.session)
}

/** Requests every tool again, in a session with earlier approvals, with the credentials that decided. */
const askAgain = async (
  bench: Bench,
  trial: { readonly state: string; readonly caller: string },
  caller: Caller,
  session: string,
): Promise<void> => {
  const plan = planAsking(bench)
  const turn = await askForAll(caller, plan, session)
  const wanted = wantedBy(bench, await askRoutes(bench, caller))
  const again = { ...trial, channel: 'approval, for the session' }
  if (typeof turn === 'string') bench.tally.compareEach(again, bench.tools, wanted, turn)
  else compareAsked(bench, again, wanted, turn)
  bench.oracle.plans.drop(plan)
}
