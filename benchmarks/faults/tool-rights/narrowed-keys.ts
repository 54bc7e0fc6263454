import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, createSigningKey, type SigningKey } from '@sibyl/identity'
import { testActor } from '@sibyl/testing'
import { askRoutes, type Bench, makeBench, wantedBy } from './bench.ts'
import { withToken } from './callers.ts'
import { runStored } from './chat-trials.ts'
import { callAll, type Plan, readAll } from './plans.ts'
import { bootRightsOracle, type RightsOracle } from './rights-oracle.ts'
import type { Situation } from './situations.ts'
import type { Trial } from './tally.ts'
import { compareTask, createTask } from './task-trials.ts'
import { askForAll, decideAll, planAsking, type WaitingTurn } from './waiting-turn.ts'

/** The holder of an API key, which a restart narrows to a situation, or removes. */
interface KeyHolder {
  readonly change: 'narrowed' | 'removed'
  readonly situation: Situation
  readonly secret: string
  /** Of the person that the API key acts as. */
  readonly key: SigningKey
}

/** Work that the holder started while the API key had all scopes. */
interface Begun {
  readonly holder: KeyHolder
  readonly task: { readonly id: string; readonly plan: Plan }
  readonly stored: Plan
  readonly waiting: WaitingTurn
}

/**
 * Has the holders of API keys set up tasks, store their rights and ask for approvals; restarts the oracle with narrower API
 * keys and without one of them; and compares what the tasks, the stored rights and the approved turns do with what the API
 * keys give then.
 */
export const tryNarrowedKeys = async (bench: Bench, mcpUrl: string): Promise<void> => {
  const { plans, clock } = bench.oracle
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-narrowed-keys-'))
  using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
  const env = { DATABASE_URL: `file:${join(folder, 'oracle.db')}`, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const holderOf = (situation: Situation, change: KeyHolder['change']): KeyHolder => ({
    change,
    situation,
    secret: `key-${crypto.randomUUID()}`,
    key: createSigningKey(),
  })
  const holders = [...bench.situations.map(one => holderOf(one, 'narrowed')), holderOf(['*'], 'removed')]
  const keys = (of: readonly KeyHolder[], scopesOf: (holder: KeyHolder) => Situation) =>
    of.map((one, index) => `k${index}:${one.secret}:${scopesOf(one).join('+')}:${one.key.did}`).join(',')
  const begun: Begun[] = []
  const actors = new Map<string, string>()
  {
    await using oracle = await bootRightsOracle(
      mcpUrl,
      { ...env, ORACLE_API_KEYS: keys(holders, () => ['*']) },
      { plans, clock },
    )
    const wide = makeBench(oracle, bench.tally, bench.random)
    for (const holder of holders) begun.push(await begin(wide, holder))
    for (const [id, actor] of oracle.probe.actors) actors.set(id, actor)
  }
  const narrow = keys(
    holders.filter(({ change }) => change === 'narrowed'),
    ({ situation }) => situation,
  )
  await using oracle = await bootRightsOracle(mcpUrl, { ...env, ORACLE_API_KEYS: narrow }, { plans, clock })
  oracle.probe.adopt(actors)
  const narrowed = makeBench(oracle, bench.tally, bench.random)
  for (const one of begun) await judge(narrowed, one)
  bench.routes.differences.push(...narrowed.routes.differences)
}

const planAll = ({ oracle, tools }: { readonly oracle: RightsOracle; readonly tools: readonly string[] }): Plan =>
  oracle.plans.make(made => [callAll(made, tools, { id: 'a' }), readAll(made, { id: 'a' })])

const begin = async (bench: Bench, holder: KeyHolder): Promise<Begun> => {
  const caller = { request: withToken(bench.oracle.app, holder.secret) }
  const [taskPlan, stored] = [planAll(bench), planAll(bench)]
  const created = await createTask(caller, taskPlan)
  const waiting = await askForAll(caller, planAsking(bench))
  const { status } = await caller.request(`/probe/later/${stored.text}`, { method: 'POST' })
  if ('refused' in created || typeof waiting === 'string' || status !== 200)
    throw new Error('A wide API key could not begin its work.')
  return { holder, task: { id: created.id, plan: taskPlan }, stored, waiting }
}

const judge = async (bench: Bench, { holder, task, stored, waiting }: Begun): Promise<void> => {
  const { app, clock } = bench.oracle
  const self = testActor(app, () => clock.now(), holder.key)
  const routes = await askRoutes(bench, { request: withToken(app, holder.secret) })
  const trial = (channel: string): Trial => ({
    channel,
    state: `${holder.change} later`,
    caller: `API key of ${holder.situation.join(' ')}`,
  })
  await runStored(bench, stored, trial('stored actor'), routes)
  await compareTask(bench, { ...task, owner: self, trial: trial('task') }, async () => ({
    before: routes,
    after: routes,
  }))
  const wanted = wantedBy(bench, routes)
  await decideAll(bench, trial('approval'), waiting, self, { decided: wanted, goesOn: async () => wanted })
}
