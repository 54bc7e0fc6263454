import { channelAbilities } from '@sibyl/plugin'
import { MatrixPerson } from '@sibyl/plugin-matrix/testing'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { testActor } from '@sibyl/testing'
import { askRoutes, type Bench, wantedBy } from './bench.ts'
import { callAll, type Plan, readAll } from './plans.ts'
import type { Situation } from './situations.ts'

const pin = '830549'

/** A user of a phone asks for every tool. There are no credentials that could be revoked: the phone itself proves who it is. */
export const tryUssd = async (bench: Bench): Promise<void> => {
  const plan = planAll(bench)
  const phone = await sendUssd(bench.oracle.app, { phoneNumber: '+260970000001' })
  await phone.answer('2', '2', 'Ada', '1', pin, pin, '1', '1', plan.text)
  await compareChannel(bench, 'ussd', plan, channelAbilities)
}

/** A user of a Matrix room asks for every tool. */
export const tryMatrix = async (bench: Bench, homeserver: { readonly url: string }, bot: string): Promise<void> => {
  const plan = planAll(bench)
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  await ada.send(await ada.directRoom(bot), plan.text)
  await compareChannel(bench, 'matrix', plan, [...channelAbilities, 'matrix/send'])
}

const planAll = ({ oracle, tools }: Bench): Plan =>
  oracle.plans.make(made => [callAll(made, tools, { id: 'a' }), readAll(made, { id: 'a' })])

/** Compares with what the routes say to a caller over HTTP who holds what the channel gives. */
const compareChannel = async (bench: Bench, channel: string, plan: Plan, abilities: Situation): Promise<void> => {
  const { oracle, tally, tools } = bench
  await plan.finished
  const caller = testActor(oracle.app, () => oracle.clock.now())
  const request: typeof caller.request = (path, init) => caller.request(path, { ...init, abilities })
  const wanted = wantedBy(bench, await askRoutes(bench, { request }))
  tally.compareAll({ channel, state: 'granted', caller: `user with ${abilities.join(' ')}` }, tools, wanted, plan)
  oracle.plans.drop(plan)
}
